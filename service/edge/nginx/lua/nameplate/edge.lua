-- The phases of a request. `service/edge/nginx/nginx-configuration.ts` renders the configuration that calls them.

local ffi = require "ffi"
local policy = require "nameplate.policy"
local access_log = require "nameplate.access_log"
local answers = require "nameplate.answers"
local cached = require "nameplate.cached"
local control = require "nameplate.control"
local counters = require "nameplate.counters"
local forwarding = require "nameplate.forwarding"
local origins = require "nameplate.origins"
local request_reader = require "nameplate.request"
local visitor_address = require "nameplate.visitor_address"
local get_request = require("resty.core.base").get_request

local _M = {}

local var = ngx.var
local limits = policy.limits
local routes = cached.new("route", ngx.shared.routes)
_M.routes = routes

--- The state of each unfinished request, by the address of nginx's own record of it. `ngx.ctx` would not survive the internal
--- redirect to an error page.
local tickets, in_flight = {}, 0

local function key()
  return tonumber(ffi.cast("uintptr_t", get_request()))
end

function _M.tickets()
  return tickets
end

--- Refusals whose page is still to be sent, by request.
local refused = {}

--- Refuses a request. After a malformed one it is unclear where the next one starts: nginx ends the connection after its own status 400.
local function refuse(name)
  local refusal = policy.refusals[name]
  if refusal.status ~= 400 then return answers.refuse(refusal.status, refusal.reason) end
  refused[key()] = refusal.reason
  return ngx.exit(400)
end

local CHALLENGES = "/.well-known/acme-challenge/"
local TOKEN_CHARS = policy.path_token_chars

--- Returns whether a request may be a probe of a public path. Only the control half can tell.
local function may_be_probe(request)
  if request.method ~= "GET" then return false end
  if request.read[policy.probe_header] then return true end
  if #request.target <= TOKEN_CHARS then return false end
  return ngx.re.find(request.target, policy.path_token, "jo") ~= nil
end

local function fail(of, reason, status, text, domain_id)
  local request_id = answers.request_id()
  counters.failure(of, reason, request_id, domain_id)
  return answers.refuse(status, text, request_id)
end

--- Answers challenges and probes, which the control half knows. @return whether a response was sent.
local function answer_own(request, scheme)
  local found, err
  if (request.method == "GET" or request.method == "HEAD") and request.target:sub(1, #CHALLENGES) == CHALLENGES then
    found, err = control.ask_fields("challenge", request.host.hostname, request.target)
  elseif may_be_probe(request) then
    local read = request.read
    local headers = table.concat(read[policy.probe_header] or {}, "\n")
    found, err = control.ask_fields("receipt", request.host.hostname, request.target, scheme, headers, table.concat(read.cookie or {}, "; "))
  end
  if found then answers.pass_on(tonumber(found.status), found.headers, found.body) end
  if err then fail("challenge", err, 503) end
  return found ~= nil or err ~= nil
end

local function address_of(request)
  local address = var.remote_addr
  if not visitor_address.has_proxies then return address end
  return visitor_address.behind(address, request.read["x-forwarded-for"] or {})
end

--- Waits for a slot of the origin. The end of the request ends the wait.
local function wait_for_slot(ticket, network)
  local slots = ticket.origin.requests
  local waiter = slots:queue(network)
  if not waiter then return nil end
  ticket.waiter = waiter
  local slot = slots:await(waiter, limits.origin_queue_ms / 1000)
  if slot then ticket.waiter = nil end
  return slot
end

local function forward(request, route, scheme)
  if route.origin == "" then return answers.refuse(503, policy.no_origin) end
  local origin, err = origins.find(route.origin)
  if not origin then
    return fail("origin", err, err:find("timeout", 1, true) and 504 or 502, nil, route.domain_id)
  end
  local address = address_of(request)
  local network = visitor_address.network(address)
  local ticket = { origin = origin, route = route, address = address, hostname = request.host.hostname, since = ngx.now(), attempts = 0 }
  tickets[key()] = ticket
  in_flight = in_flight + 1
  origins.enter(origin)
  if request.upgrade then
    ticket.upgrade = true
    ticket.tunnel = origin.tunnels:take(network)
    if not ticket.tunnel then return fail("origin", "too many WebSockets to the origin", 503, nil, route.domain_id) end
  end
  ticket.slot = origin.requests:take(network) or wait_for_slot(ticket, network)
  if not ticket.slot then
    return fail("origin", "no connection to the origin became free", 503, nil, route.domain_id)
  end
  local headers = forwarding.headers(request, route, scheme, address)
  if not origin.keeps and not request.upgrade then headers = headers .. "\r\nConnection: close" end
  var.nameplate_headers = headers
  var.nameplate_origin = origin.pass
  if origin.is_tls then var.nameplate_sni = origin.host end
end

--- Handles a request until it goes to its origin (`access_by_lua`).
-- @param scheme how the visitor reaches the edge. @param redirects whether the port redirects to HTTPS.
-- @param is_tunnel whether the request is in the location whose responses end the connection.
function _M.access(scheme, redirects, is_tunnel)
  if in_flight >= limits.requestsInFlightMax then return answers.refuse(503) end
  local request, refusal = request_reader.read(ngx.req.get_method(), var.request)
  if not request then return refuse(refusal) end
  if request.closes and not is_tunnel then return ngx.exec("@tunnel") end
  local hostname = request.host.hostname
  local server_name = var.ssl_server_name
  local is_other = server_name ~= request.host.asked and (not server_name or server_name:lower() ~= request.host.asked)
  local is_misdirected = is_other and (server_name ~= nil or var.https == "on")
  -- A trusted proxy shares its connections among hostnames.
  if is_misdirected and visitor_address.has_proxies then is_misdirected = not visitor_address.is_proxy(var.remote_addr) end
  if is_misdirected then return answers.refuse(421) end
  if answer_own(request, scheme) then return end
  local route, err = routes:get(hostname)
  if not route then
    if err then return fail("route", err, 503) end
    return answers.refuse(404)
  end
  if route.kind == "held" then return answers.refuse(451) end
  if route.kind == "unreadable" then return fail("route", "the route cannot be read", 503) end
  if redirects and route.plain == "" then
    local to = route.redirect_to ~= "" and route.redirect_to or hostname
    return answers.redirect("https://" .. to .. request.host.suffix .. policy.https_port .. request.target)
  end
  if route.redirect_to ~= "" then
    return answers.redirect(scheme .. "://" .. route.redirect_to .. request.host.suffix .. request.host.port .. request.target)
  end
  return forward(request, route, scheme)
end

--- Chooses the address of the origin (`balancer_by_lua`).
function _M.connect()
  return origins.connect(tickets[key()])
end

local function release_slot(ticket)
  local slots, slot = ticket.origin.requests, ticket.slot
  ticket.slot = nil
  if slot then slots:leave(slot) end
end

local PLAIN_CONNECTION = { ["keep-alive"] = true, close = true, Close = true, ["Keep-Alive"] = true }

local function is_valid(status, ticket)
  if status > 599 or status < 200 and (status ~= 101 or not ticket.upgrade) then return false end
  local coding = var.upstream_http_transfer_encoding
  return not coding or coding:lower() == "chunked" and not var.upstream_http_content_length
end

--- Checks and cleans an origin's response (`header_filter_by_lua`).
function _M.response()
  local ticket = tickets[key()]
  if not ticket then
    ngx.header["Server"] = nil
    return
  end
  local status = ngx.status
  -- nginx mistakes bytes that are not HTTP for a response of HTTP/0.9.
  if ngx.req.http_version() == 0.9 then return ngx.exit(ngx.ERROR) end
  if not ticket.failed and not is_valid(status, ticket) then
    ticket.failed = "its response cannot be passed on"
    return ngx.exit(502)
  end
  if status == 101 then return release_slot(ticket) end
  if not var.upstream_http_server then ngx.header["Server"] = nil end
  local connection = var.upstream_http_connection
  if not connection or PLAIN_CONNECTION[connection] then return end
  for _, name in ipairs(request_reader.members_of({ connection })) do
    if not policy.kept_in_responses[name] then ngx.header[name] = nil end
  end
end

--- Responds in place of nginx's own error pages.
function _M.error_page()
  local status = ngx.status
  local ticket = tickets[key()]
  if ticket then
    ticket.has_page = true
    return fail("origin", ticket.failed or "the origin failed with " .. status, status, nil, ticket.route.domain_id)
  end
  return answers.refuse(status, refused[key()])
end

--- The names of the counters by status. Status 499 means that the visitor left.
local COUNTERS = setmetatable({ [499] = "status:gone" }, {
  __index = function(names, status)
    names[status] = "status:" .. status
    return names[status]
  end,
})

--- Ends a request (`log_by_lua`). Counters of traffic belong here: the ticket has the domain.
function _M.done()
  counters.add(COUNTERS[ngx.status])
  local at = key()
  refused[at] = nil
  local ticket = tickets[at]
  if access_log.takes() then var.nameplate_line = access_log.line(ticket, address_of) end
  if not ticket then return end
  tickets[at] = nil
  in_flight = in_flight - 1
  local origin = ticket.origin
  release_slot(ticket)
  if ticket.waiter then origin.requests:abandon(ticket.waiter) end
  if ticket.tunnel then origin.tunnels:leave(ticket.tunnel) end
  origins.leave(origin)
end

return _M
