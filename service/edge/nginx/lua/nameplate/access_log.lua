-- Describes a request that has ended, as `shared/core/edge/access-entry.ts` does. nginx writes the line.

local policy = require "nameplate.policy"
local counters = require "nameplate.counters"
local request_reader = require "nameplate.request"

local _M = {}

local var = ngx.var
local rules = policy.access_log
local VERSIONS = { [1] = "1.0", [1.1] = "1.1", [2] = "2", [3] = "3" }
--- nginx's statuses for requests without a response.
local UNANSWERED = { [counters.LEFT] = true, [counters.DROPPED] = true }

local function percent_encoded(found)
  return ("%%%02X"):format(found[0]:byte())
end

--- Percent-encodes every byte that is no printable ASCII, and quotes and backslashes, so that the text needs no escapes in JSON.
local function bounded(text, chars_max)
  text = ngx.re.gsub(text, "[^\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]", percent_encoded, "jo")
  return #text > chars_max and text:sub(1, chars_max) .. "..." or text
end

local function redacted(text, is_own)
  if is_own then text = ngx.re.gsub(text, rules.own_pages.pattern, rules.own_pages.replacement, "jo") end
  for _, each in ipairs(rules.redactions) do text = ngx.re.gsub(text, each.pattern, each.replacement, "jo") end
  return text
end

--- Returns whose response the visitor got, or nil if none.
local function responder_of(r, status)
  if UNANSWERED[status] then return nil end
  if not r or r.has_page or not var.upstream_addr or r.route.origin == "connect" then return "edge" end
  return "origin"
end

--- Returns whether the request belongs to the sample.
function _M.takes()
  return rules ~= nil and (rules.sample == 1 or math.random() < rules.sample)
end

--- Returns the host of a request that was not forwarded, and its rare headers; or nil if it was malformed.
local function host_of(request)
  local host, _, _, _, rare = request_reader.read(request)
  return host, host and rare
end

--- Returns the line. @param r the state of the request, or nil. @param address_of returns the address of a visitor.
function _M.line(request, r, address_of)
  local line, status = var.request, ngx.status
  -- nginx could not read the request line.
  if not line or line == "" then return "" end
  -- nginx calls a request GET once it has an error page.
  local method = line:match("^%S*")
  local host, rare = r and r.host, r and r.rare
  if not host then host, rare = host_of(request) end
  local responder = responder_of(r, status)
  local target = redacted(line:sub(#method + 2, -10):gsub("^%a+://[^/?#]+", ""), responder ~= "origin")
  local path, query = target:match("^([^?]*)%??(.*)$")
  local now = ngx.now()
  local fields = {}
  local function add(name, value)
    if value then fields[#fields + 1] = '"' .. name .. '":' .. value end
  end
  local function add_text(name, value)
    if value then add(name, '"' .. value .. '"') end
  end
  add_text("timestamp", os.date("!%Y-%m-%dT%H:%M:%S", now) .. (".%03dZ"):format(now % 1 * 1000))
  add_text("http.request.method", bounded(method, rules.chars_max.method))
  add_text("url.scheme", var.scheme)
  add_text("server.address", host and host.hostname)
  add_text("url.path", bounded(path, rules.chars_max.path))
  if rules.query and #path < #target then add_text("url.query", bounded(query, rules.chars_max.query)) end
  if not UNANSWERED[status] then add("http.response.status_code", status) end
  if status ~= 101 then add("http.response.body.size", var.body_bytes_sent) end
  add("http.server.request.duration", var.request_time)
  add_text("network.protocol.version", VERSIONS[ngx.req.http_version()])
  add_text("client.address", r and r.address or host and address_of(request, rare) or var.remote_addr)
  local user_agent = var.http_user_agent
  add_text("user_agent.original", user_agent and bounded(redacted(user_agent), rules.chars_max.user_agent))
  add_text("nameplate.domain.id", r and r.origin and r.route.domain_id)
  add_text("nameplate.request.id", responder == "edge" and var.sent_http_x_request_id)
  add_text("nameplate.responder", responder)
  return "{" .. table.concat(fields, ",") .. "}"
end

return _M
