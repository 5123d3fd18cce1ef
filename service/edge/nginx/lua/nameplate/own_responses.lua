-- The responses to challenges and to probes of the public path, which the control half knows.

local ffi = require "ffi"
local policy = require "nameplate.policy"
local control = require "nameplate.control"
local native = require "nameplate.native"

local _M = {}

local var = ngx.var
local CHALLENGES = "/.well-known/acme-challenge/"
local TOKEN_CHARS = policy.path_token_chars
local NO_HEADERS = {}
--- Questions about probes that a worker asks in one second, for one hostname and in total. Any page may have an address like a probe's.
local PROBES_OF_ONE_MAX, PROBES_MAX = 10, 500
local probes_in, probes, probes_of = 0, 0, {}

--- Returns whether a request may be a probe of a public path. Only the control half can tell.
local function may_be_probe(method, target, count, rare)
  if method ~= "GET" then return false end
  if rare and rare.read[policy.probe_header] then return true end
  if count <= TOKEN_CHARS then return false end
  return ngx.re.find(ffi.string(target, count), policy.path_token, "jo") ~= nil
end

local function may_ask_about(hostname)
  local second = ngx.time()
  if second ~= probes_in then probes_in, probes, probes_of = second, 0, {} end
  local asked = probes_of[hostname] or 0
  if asked >= PROBES_OF_ONE_MAX or probes >= PROBES_MAX then return false end
  probes, probes_of[hostname] = probes + 1, asked + 1
  return true
end

--- Returns the response to a request that is ours, as fields, or nil; or nil and the reason for a failure.
function _M.find(method, hostname, target, count, rare, scheme)
  if native.starts(target, count, CHALLENGES) and (method == "GET" or method == "HEAD") then
    return control.ask_fields("challenge", hostname, ffi.string(target, count))
  end
  if not may_be_probe(method, target, count, rare) or not may_ask_about(hostname) then return nil end
  local headers = table.concat(rare and rare.read[policy.probe_header] or NO_HEADERS, "\n")
  -- If that fails, the request is served as any other: it may be a page whose address only looks like a probe's.
  return (control.ask_fields("receipt", hostname, ffi.string(target, count), scheme, headers, var.http_cookie or ""))
end

return _M
