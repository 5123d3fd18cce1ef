-- Finds the edge's own responses: to probes of the public path, to health checks, and to challenges, which the node process answers.

local ffi = require "ffi"
local policy = require "nameplate.policy"
local answers = require "nameplate.answers"
local control = require "nameplate.control"
local native = require "nameplate.native"
local path_receipts = require "nameplate.path_receipts"

local _M = {}

local CHALLENGES = "/.well-known/acme-challenge/"
local TOKEN_CHARS = policy.probe.chars
local NO_VALUES = {}

--- Returns the response to a probe, or nil. Most requests are too short to be one.
local function receipt(hostname, target, count, rare, scheme)
  local probes = rare and rare.read[policy.probe.header] or NO_VALUES
  if count <= TOKEN_CHARS and probes == NO_VALUES then return nil end
  local request_id = answers.request_id()
  local headers, body = path_receipts.find(hostname, ffi.string(target, count), scheme, probes, request_id)
  return headers and { status = 200, headers = headers, body = body, request_id = request_id }
end

--- Tells a load balancer whether to send visitors here. Without a node process, nginx does not learn of deletions or holds.
local function health()
  local silent_s = control.silent_s()
  if ngx.shared.meta:get("ready") and silent_s <= policy.health.late_s then return { status = 200 } end
  return { status = 503, reason = ("%s The node process sent its last message %d s ago."):format(policy.health.not_ready, silent_s) }
end

--- Returns the node process's response to a challenge, or nil.
local function challenge(hostname, path)
  local text, problem = control.ask("challenge", hostname, path)
  if not text then return problem and { status = 503, of = "challenge", problem = problem } end
  local found, headers = control.fields(text), {}
  for name, value in found.headers:gmatch("([^:\n]+): ([^\n]*)\n") do headers[name] = value end
  return { status = tonumber(found.status), headers = headers, body = found.body, request_id = headers["X-Request-Id"] }
end

--- Returns the outcome of a request that is ours, or nil.
function _M.find(method, hostname, target, count, rare, scheme)
  if method == "GET" then
    local found = receipt(hostname, target, count, rare, scheme)
    if found then return found end
  elseif method ~= "HEAD" then
    return nil
  end
  -- The host of a health check is an IP address; an IPv6 address starts with a bracket. No domain has such a hostname.
  local is_health_check = native.equals(target, count, policy.health.path) and (hostname:byte() == 91 or hostname:find("^[%d.]+$"))
  if is_health_check then return health() end
  if not native.starts(target, count, CHALLENGES) then return nil end
  return challenge(hostname, ffi.string(target, count))
end

return _M
