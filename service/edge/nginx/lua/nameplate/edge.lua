-- The phases of a request. `service/edge/nginx/nginx-configuration.ts` renders the configuration that calls them.

local ffi = require "ffi"
local policy = require "nameplate.policy"
local access_log = require "nameplate.access_log"
local answers = require "nameplate.answers"
local cached = require "nameplate.cached"
local counters = require "nameplate.counters"
local forwarding = require "nameplate.forwarding"
local head = require "nameplate.head"
local native = require "nameplate.native"
local origins = require "nameplate.origins"
local own_responses = require "nameplate.own_responses"
local request_reader = require "nameplate.request"
local resets = require "nameplate.resets"
local traffic = require "nameplate.traffic"
local visitor_address = require "nameplate.visitor_address"

local _M = {}

local var = ngx.var
local meta = ngx.shared.meta
local C = ffi.C
--- The status of a response that is not HTTP.
local NO_HTTP = 9
local limits = policy.limits
local routes = cached.new("route", ngx.shared.routes)
_M.routes = routes

--- The state of each unfinished request, by the address of nginx's own record of it. `ngx.ctx` would not survive the internal
--- redirect to an error page.
local tickets, in_flight = {}, 0
--- Unfinished requests by the network of the visitor.
local in_flight_of = {}

--- Returns whether a network may have another one: each has a part of what the others leave.
local function has_room(network)
  local own = in_flight_of[network] or 0
  return own < math.ceil((limits.requestsInFlightMax - in_flight + own) / limits.requests_network_parts)
end

local function key()
  return native.id(native.request())
end

function _M.tickets()
  return tickets
end

--- Tickets of ended requests, which later ones use again: the collector would need longer for them than the rest of the request.
local unused, unused_count = {}, 0
local UNUSED_MAX = 1000

--- Creates the ticket of a request.
local function open_ticket(request, origin, route, host, address, network, now)
  local ticket
  if unused_count > 0 then
    ticket = unused[unused_count]
    unused_count = unused_count - 1
  else
    ticket = {}
  end
  ticket.origin, ticket.route, ticket.host, ticket.address = origin, route, host, address
  ticket.since, ticket.attempts, ticket.first = now, 0, 0
  ticket.upgrade, ticket.tunnel, ticket.slot, ticket.waiter = false, false, false, false
  ticket.failed, ticket.mark, ticket.has_page, ticket.is_headless = false, false, false, false
  ticket.answered, ticket.origin_failed = false, false
  ticket.in_flight, ticket.network = true, network
  tickets[native.id(request)] = ticket
  in_flight, in_flight_of[network] = in_flight + 1, (in_flight_of[network] or 0) + 1
  origins.enter(origin)
  return ticket
end

--- The routes of requests that have one but no ticket, and those of them whose origin failed. Traffic counts them too.
local answered_here, failed_here = {}, {}

--- Refusals whose page is still to be sent, by request.
local refused = {}

--- Refuses a request. After a malformed one it is unclear where the next one starts: nginx ends the connection after its own status 400.
local function refuse(name)
  local refusal = policy.refusals[name]
  if refusal.status ~= 400 then return answers.refuse(refusal.status, refusal.reason) end
  refused[key()] = refusal.reason
  return ngx.exit(400)
end

local function note_origin_failure()
  local at = key()
  local ticket = tickets[at]
  if ticket then ticket.origin_failed = true else failed_here[at] = true end
end

local function fail(of, reason, status, text, domain_id)
  if of == "origin" then note_origin_failure() end
  local request_id = answers.request_id()
  counters.failure(of, reason, request_id, domain_id)
  return answers.refuse(status, text, request_id)
end

local NO_VALUES = {}

local function address_of(request, rare)
  local bytes, count = native.get(request, "remote_addr")
  local address = ffi.string(bytes, count)
  if not visitor_address.has_proxies then return address end
  return visitor_address.behind(address, rare and rare.read["x-forwarded-for"] or NO_VALUES)
end

--- Waits for a slot of the origin. The end of the request ends the wait.
local function wait_for_slot(ticket, network)
  local slots = ticket.origin.requests
  local waiter = slots:queue(network)
  if not waiter then return nil end
  ticket.waiter = waiter
  local slot = slots:await(waiter, limits.origin_queue_ms / 1000)
  if slot then ticket.waiter = false end
  return slot
end

local UPGRADE, CLOSE = "\r\nConnection: upgrade\r\nUpgrade: websocket", "\r\nConnection: close"

local function forward(request, route, scheme, host, method, target, count, rare, watched)
  if route.origin == "" then
    answered_here[native.id(request)] = route
    return answers.refuse(503, policy.no_origin)
  end
  local address = address_of(request, rare)
  local network = visitor_address.network(address)
  if not has_room(network) then return answers.refuse(503) end
  local now = native.now()
  local origin, err = origins.find(route.origin, now)
  if not origin then
    answered_here[native.id(request)] = route
    return fail("origin", err, err:find("timeout", 1, true) and 504 or 502, nil, route.domain_id)
  end
  local ticket = open_ticket(request, origin, route, host, address, network, now)
  if rare and rare.upgrade then
    ticket.upgrade = true
    ticket.tunnel = origin.tunnels:take(network) or false
    if not ticket.tunnel then return fail("origin", "too many WebSockets to the origin", 503, nil, route.domain_id) end
  end
  ticket.slot = origin.requests:take(network) or wait_for_slot(ticket, network) or false
  if not ticket.slot then
    return fail("origin", "no connection to the origin became free", 503, nil, route.domain_id)
  end
  local last = ticket.upgrade and UPGRADE or origin.keeps and "" or CLOSE
  forwarding.add_headers(request, route, scheme, host.hostname, address, method, target, count, rare, watched, last)
  native.set(request, "nameplate_origin", origin.pass, #origin.pass)
  if origin.is_tls then native.set(request, "nameplate_sni", origin.host, #origin.host) end
end

--- Returns whether the connection asked for another hostname than the request. A trusted proxy shares its connections among hostnames.
local function is_misdirected(request, asked)
  local bytes, count = native.get(request, "ssl_server_name")
  if bytes and (native.equals(bytes, count, asked) or ffi.string(bytes, count):lower():gsub("%.$", "") == asked) then return false end
  if not bytes and var.https ~= "on" then return false end
  return not (visitor_address.has_proxies and visitor_address.is_proxy(var.remote_addr))
end

local function redirect(route, scheme, to, host, port, target, count)
  answered_here[key()] = route
  return answers.redirect(scheme .. "://" .. to .. host.suffix .. port .. ffi.string(target, count))
end

--- Handles a request until it goes to its origin (`access_by_lua`).
-- @param scheme how the visitor reaches the edge. @param redirects whether the port redirects to HTTPS.
-- @param is_tunnel whether the request is in the location whose responses end the connection.
function _M.access(scheme, redirects, is_tunnel)
  if in_flight >= limits.requestsInFlightMax then return answers.refuse(503) end
  local request = native.request()
  if resets.is_over(request) then return ngx.exit(counters.DROPPED) end
  local watched = head.watched
  local host, method, target, count, rare = request_reader.read(request)
  if not host then return refuse(method) end
  if not is_tunnel and (rare and rare.closes or meta:get("closing") and ngx.req.http_version() < 2) then
    return ngx.exec("@tunnel")
  end
  local hostname = host.hostname
  if is_misdirected(request, host.asked) then return answers.refuse(421) end
  local found, problem = own_responses.find(method, hostname, target, count, rare, scheme)
  if found then return found() end
  if problem then return fail("challenge", problem, 503) end
  local route, err = routes:get(hostname)
  if not route then
    if err then return fail("route", err, 503) end
    return answers.refuse(404)
  end
  if route.kind == "held" then return answers.refuse(451) end
  if route.kind == "unreadable" then return fail("route", "the route cannot be read", 503) end
  local to = route.redirect_to
  if redirects and route.plain == "" then
    return redirect(route, "https", to ~= "" and to or hostname, host, policy.https_port, target, count)
  end
  if to ~= "" then return redirect(route, scheme, to, host, host.port, target, count) end
  return forward(request, route, scheme, host, method, target, count, rare, watched)
end

--- Chooses the address of the origin (`balancer_by_lua`).
function _M.connect()
  return origins.connect(tickets[key()])
end

--- Counts a request as in flight no more. A WebSocket is not, once it is open.
local function land(ticket)
  if not ticket.in_flight then return end
  local network, own = ticket.network, in_flight_of[ticket.network] - 1
  in_flight, in_flight_of[network] = in_flight - 1, own > 0 and own or nil
  ticket.in_flight = false
end

local function release_slot(ticket)
  local slots, slot = ticket.origin.requests, ticket.slot
  ticket.slot = false
  if slot then slots:leave(slot) end
end

--- Digits of the longest length that both engines accept.
local LENGTH_DIGITS_MAX = 18

local PLAIN_CONNECTION = { ["keep-alive"] = true, close = true, Close = true, ["Keep-Alive"] = true }

local function is_valid(request, status, ticket)
  if status > 599 or status < 200 and (status ~= 101 or not ticket.upgrade) then return false end
  local length, digits = native.get(request, "upstream_http_content_length")
  if length and (digits == 0 or digits > LENGTH_DIGITS_MAX or C.strspn(length, "0123456789") ~= digits) then return false end
  if not native.get(request, "upstream_http_transfer_encoding") then return true end
  return var.upstream_http_transfer_encoding:lower() == "chunked" and not var.upstream_http_content_length
end

local function remove_nominated(connection)
  for _, name in ipairs(request_reader.members_of({ connection })) do
    if not policy.kept_in_responses[name] then ngx.header[name] = nil end
  end
end

--- Checks and cleans an origin's response (`header_filter_by_lua`).
function _M.response()
  local request = native.request()
  local ticket = tickets[native.id(request)]
  if not ticket then return native.remove_header(request, "Server") end
  local status = native.status(request)
  ticket.answered = native.now()
  -- nginx takes bytes that are not HTTP for a response of HTTP/0.9, and sends no head to a visitor of HTTP/1.
  if status == NO_HTTP then
    ticket.failed = "its response is not HTTP"
    ticket.is_headless = not native.has(request, "http2")
    return ngx.exit(502)
  end
  if not ticket.failed and not is_valid(request, status, ticket) then
    ticket.failed = "its response cannot be passed on"
    return ngx.exit(502)
  end
  if status == 101 then
    land(ticket)
    return release_slot(ticket)
  end
  if not native.get(request, "upstream_http_server") then native.remove_header(request, "Server") end
  local bytes, count = native.get(request, "upstream_http_connection")
  if not bytes then return end
  local connection = ffi.string(bytes, count)
  if not PLAIN_CONNECTION[connection] then remove_nominated(connection) end
end

--- Responds in place of nginx's own error pages.
function _M.error_page()
  local status = ngx.status
  local ticket = tickets[key()]
  if ticket then
    ticket.has_page = true
    ngx.ctx.is_headless = ticket.is_headless
  end
  -- Below 500, the visitor is at fault.
  if ticket and (ticket.failed or status >= 500) then
    return fail("origin", ticket.failed or "the origin failed with " .. status, status, nil, ticket.route.domain_id)
  end
  return answers.refuse(status, refused[key()])
end

--- Ends a request that was not forwarded.
local function done_here(request, at, status)
  refused[at] = nil
  local route = answered_here[at]
  if route then traffic.count(request, route, status, false, failed_here[at]) end
  answered_here[at], failed_here[at] = nil, nil
end

--- Ends a request that was forwarded, and frees its place at the origin.
local function done_there(request, at, status, ticket)
  local latency_s = ticket.answered and not ticket.origin_failed and ticket.answered - ticket.since
  traffic.count(request, ticket.route, status, latency_s, ticket.origin_failed)
  tickets[at] = nil
  land(ticket)
  local origin = ticket.origin
  release_slot(ticket)
  if ticket.waiter then origin.requests:abandon(ticket.waiter) end
  if ticket.tunnel then origin.tunnels:leave(ticket.tunnel) end
  origins.leave(origin)
  if unused_count < UNUSED_MAX then
    unused_count = unused_count + 1
    unused[unused_count] = ticket
  end
end

--- Ends a request (`log_by_lua`).
function _M.done()
  local request = native.request()
  local status = native.status(request)
  counters.request(status)
  if status ~= counters.DROPPED then resets.note(request) end
  local at = native.id(request)
  local ticket = tickets[at]
  if ticket then done_there(request, at, status, ticket) else done_here(request, at, status) end
  -- Last, so that no fault in a line can keep the place at the origin. An ended ticket keeps its fields until the next request.
  if access_log.takes() then var.nameplate_line = access_log.line(request, ticket, address_of) end
end

return _M
