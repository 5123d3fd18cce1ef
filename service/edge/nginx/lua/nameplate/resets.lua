-- Limits how often a visitor may reset streams of one HTTP/2 connection (CVE-2023-44487). nginx starts a request before it reads its reset, so
-- each one would cost a connection to the origin.

local ffi = require "ffi"
local lrucache = require "resty.lrucache"
local native = require "nameplate.native"
local policy = require "nameplate.policy"

local _M = {}

local BURST, PER_S = policy.limits.stream_resets_burst, policy.limits.stream_resets_per_s
local CONNECTIONS_MAX = 1000
--- For each connection with resets, how many more it may have, and since when.
local allowances = assert(lrucache.new(CONNECTIONS_MAX))
--- No connection is over the limit after this time, so that requests usually need not look.
local over_until = 0

local function connection_of(request)
  local bytes, count = native.get(request, "connection")
  return ffi.string(bytes, count)
end

local function left_at(allowance, now)
  return math.min(BURST, allowance.left + (now - allowance.since) * PER_S)
end

--- Counts a request whose visitor left.
function _M.note(request)
  local connection, now = connection_of(request), native.now()
  local allowance = allowances:get(connection)
  if not allowance then
    allowance = { left = BURST, since = now }
    allowances:set(connection, allowance)
  end
  allowance.left, allowance.since = left_at(allowance, now) - 1, now
  if allowance.left < 1 then over_until = math.max(over_until, now + (1 - allowance.left) / PER_S) end
end

--- Returns whether the connection of a request has had too many resets.
function _M.are_too_many(request)
  local now = native.now()
  if now >= over_until then return false end
  local allowance = allowances:get(connection_of(request))
  return allowance ~= nil and left_at(allowance, now) < 1
end

return _M
