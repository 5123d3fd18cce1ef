-- Limits how often a visitor may reset streams of one HTTP/2 connection (CVE-2023-44487). nginx starts a request before it reads the
-- reset. Without a limit, every reset would cost a connection to the origin.

local ffi = require "ffi"
local lrucache = require "resty.lrucache"
local native = require "nameplate.native"
local policy = require "nameplate.policy"
local visitor_address = require "nameplate.visitor_address"

local _M = {}

local var = ngx.var
local BURST, PER_S = policy.limits.stream_resets_burst, policy.limits.stream_resets_per_s
local CONNECTIONS_MAX = 1000
--- By connection: `left` is the number of resets that it could still make at the time `since`, in seconds.
local allowances = assert(lrucache.new(CONNECTIONS_MAX))
--- After this time, no connection is over the limit, so most requests skip the lookup.
local over_until = 0

local function connection_of(request)
  local bytes, count = native.get(request, "connection")
  return ffi.string(bytes, count)
end

--- Returns how many resets an allowance has left. The clock of the machine may go back.
local function left_at(allowance, now)
  return math.min(BURST, allowance.left + math.max(0, now - allowance.since) * PER_S)
end

local function count_reset(request)
  -- A trusted proxy shares its connections among visitors, and limits resets itself.
  if visitor_address.has_proxies and visitor_address.is_proxy(var.remote_addr) then return end
  local connection, now = connection_of(request), native.now()
  local allowance = allowances:get(connection)
  if not allowance then
    allowance = { left = BURST, since = now }
    allowances:set(connection, allowance)
  end
  allowance.left, allowance.since = left_at(allowance, now) - 1, now
  if allowance.left < 1 then over_until = math.max(over_until, now + (1 - allowance.left) / PER_S) end
end

--- Notes how a request ended. One of HTTP/2 whose response did not end counts as reset: its status depends on when the reset came.
function _M.note(request)
  local _, completed = native.get(request, "request_completion")
  if completed > 0 then return end
  local _, is_http2 = native.get(request, "http2")
  if is_http2 > 0 then count_reset(request) end
end

--- Returns whether the connection of a request is over the limit now.
function _M.is_over(request)
  local now = native.now()
  if now >= over_until then return false end
  local allowance = allowances:get(connection_of(request))
  return allowance ~= nil and left_at(allowance, now) < 1
end

return _M
