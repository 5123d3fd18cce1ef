-- The phases of a request. `service/edge/nginx/nginx-configuration.ts` renders the configuration that calls them. A request has one state
-- (`states.lua`), and an outcome: `FORWARD`, or the response that `respond` sends, with the `reason` that its page shows. An outcome with
-- `of` is a failure, whose `problem` goes to the log.

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
local states = require "nameplate.states"
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

local function failure(of, problem, status)
  return { status = status or 503, of = of, problem = problem }
end

local FORWARD, DROPPED = {}, { status = counters.DROPPED }
local OVERLOADED, MISDIRECTED, UNKNOWN = { status = 503 }, { status = 421 }, { status = 404 }
local NO_ORIGIN = { status = 503, reason = policy.no_origin }
--- The outcomes of hostnames without a route.
local UNSERVED = { held = { status = 451 }, unreadable = failure("route", "the route cannot be read") }

--- Ends a request that is not forwarded, or that failed at its origin.
local function respond(r, outcome)
  local status = outcome.status
  -- After a malformed request it is unclear where the next one starts: nginx ends the connection after its own status 400.
  if status == 400 or outcome == DROPPED then
    r.refused = outcome.reason
    return ngx.exit(status)
  end
  local request_id = outcome.request_id or answers.request_id()
  if outcome.headers then return answers.send(status, outcome.headers, outcome.body, request_id) end
  if outcome.of then
    counters.failure(outcome.of, outcome.problem, request_id, r.route and r.route.domain_id)
    r.origin_failed = outcome.of == "origin"
  end
  return answers.page(status, outcome.reason, outcome.location, request_id, r.is_headless)
end

--- Decides what a hostname's route means for a request. A pure function.
local function decide(route, host, scheme, redirects, target, count)
  if route.kind ~= "route" then return UNSERVED[route.kind] end
  local to, port = route.redirect_to, host.port
  if redirects and route.plain == "" then
    scheme, port = "https", policy.https_port
  elseif to == "" then
    return route.origin == "" and NO_ORIGIN or FORWARD
  end
  local name = to ~= "" and to or host.hostname
  return { status = 308, location = scheme .. "://" .. name .. host.suffix .. port .. ffi.string(target, count) }
end

local NO_VALUES = {}

local function address_of(request, rare)
  local bytes, count = native.get(request, "remote_addr")
  local address = ffi.string(bytes, count)
  if not visitor_address.has_proxies then return address end
  return visitor_address.behind(address, rare and rare.read["x-forwarded-for"] or NO_VALUES)
end

local QUEUE_S = limits.origin_queue_ms / 1000

--- Takes a place at the origin for a request. @return the outcome of a request that gets none.
local function take_place(r, request)
  local route, rare = r.route, r.rare
  r.address = address_of(request, rare)
  local network = visitor_address.network(r.address)
  if not states.has_room(network) then
    -- The traffic of the domain does not include this request.
    r.route = false
    return OVERLOADED
  end
  local now = native.now()
  local origin, err = origins.find(route.origin, now)
  if not origin then return failure("origin", err, err:find("timeout", 1, true) and 504 or 502) end
  states.enter(r, origin, network, now)
  if rare and rare.upgrade then
    r.upgrade, r.tunnel = true, origin.tunnels:ask(network) or false
    if not r.tunnel then return failure("origin", "too many WebSockets to the origin") end
  end
  local slots = origin.requests
  -- If the request ends, so does its wait.
  r.slot = slots:ask(network) or false
  if r.slot and slots:await(r.slot, QUEUE_S) then return nil end
  return failure("origin", "no connection to the origin became free")
end

local UPGRADE, CLOSE = "\r\nConnection: upgrade\r\nUpgrade: websocket", "\r\nConnection: close"

--- Returns whether the connection asked for another hostname than the request. A trusted proxy shares its connections among hostnames.
local function is_misdirected(request, asked)
  local bytes, count = native.get(request, "ssl_server_name")
  if bytes and (native.equals(bytes, count, asked) or ffi.string(bytes, count):lower():gsub("%.$", "") == asked) then return false end
  if not bytes and var.https ~= "on" then return false end
  return not (visitor_address.has_proxies and visitor_address.is_proxy(var.remote_addr))
end

--- Handles a request until it goes to its origin (`access_by_lua`).
-- @param scheme how the visitor reaches the edge. @param redirects whether the port redirects to HTTPS.
-- @param is_tunnel whether the request is in the location whose responses end the connection.
function _M.access(scheme, redirects, is_tunnel)
  local request = native.request()
  local r = states.open(request)
  if states.is_full() then return respond(r, OVERLOADED) end
  if resets.is_over(request) then return respond(r, DROPPED) end
  local watched = head.watched
  local host, method, target, count, rare = request_reader.read(request)
  if not host then return respond(r, policy.refusals[method]) end
  if not is_tunnel and (rare and rare.closes or meta:get("closing") and ngx.req.http_version() < 2) then
    return ngx.exec("@tunnel")
  end
  r.host, r.rare = host, rare
  local hostname = host.hostname
  if is_misdirected(request, host.asked) then return respond(r, MISDIRECTED) end
  local own = own_responses.find(method, hostname, target, count, rare, scheme)
  if own then return respond(r, own) end
  local route, err = routes:get(hostname)
  if not route then return respond(r, err and failure("route", err) or UNKNOWN) end
  local outcome = decide(route, host, scheme, redirects, target, count)
  r.route = route.kind == "route" and route
  if outcome ~= FORWARD then return respond(r, outcome) end
  local refusal = take_place(r, request)
  if refusal then return respond(r, refusal) end
  local origin = r.origin
  local last = r.upgrade and UPGRADE or origin.keeps and "" or CLOSE
  forwarding.add_headers(request, route, scheme, hostname, r.address, method, target, count, rare, watched, last)
  native.set(request, "nameplate_origin", origin.pass, #origin.pass)
  if origin.is_tls then native.set(request, "nameplate_sni", origin.host, #origin.host) end
end

--- Chooses the address of the origin (`balancer_by_lua`).
function _M.connect()
  return origins.connect(states.of(native.request()))
end

--- Digits of the longest length that both engines accept.
local LENGTH_DIGITS_MAX = 18

local PLAIN_CONNECTION = { ["keep-alive"] = true, close = true, Close = true, ["Keep-Alive"] = true }

local function is_valid(request, status, r)
  if status > 599 or status < 200 and (status ~= 101 or not r.upgrade) then return false end
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
  local r = states.of(request)
  if not r or not r.origin then return native.remove_header(request, "Server") end
  local status = native.status(request)
  r.answered = native.now()
  -- nginx takes bytes that are not HTTP for a response of HTTP/0.9, and sends no head to a visitor of HTTP/1.
  if status == NO_HTTP then
    r.failed, r.is_headless = "its response is not HTTP", not native.has(request, "http2")
    return ngx.exit(502)
  end
  if not r.failed and not is_valid(request, status, r) then
    r.failed = "its response cannot be passed on"
    return ngx.exit(502)
  end
  if status == 101 then return states.land(r) end
  if not native.get(request, "upstream_http_server") then native.remove_header(request, "Server") end
  local bytes, count = native.get(request, "upstream_http_connection")
  if not bytes then return end
  local connection = ffi.string(bytes, count)
  if not PLAIN_CONNECTION[connection] then remove_nominated(connection) end
end

--- Responds in place of nginx's own error pages.
function _M.error_page()
  local request, status = native.request(), ngx.status
  local r = states.of(request) or states.open(request)
  r.has_page = true
  -- Below 500, the visitor is at fault.
  if r.origin and (r.failed or status >= 500) then
    return respond(r, failure("origin", r.failed or "the origin failed with " .. status, status))
  end
  return answers.page(status, r.refused or nil, nil, answers.request_id(), r.is_headless)
end

--- Ends a request (`log_by_lua`).
function _M.done()
  local request = native.request()
  local status = native.status(request)
  counters.request(status)
  if status ~= counters.DROPPED then resets.note(request) end
  local r = states.of(request)
  if r then
    if r.route then
      traffic.count(request, r.route, status, r.answered and not r.origin_failed and r.answered - r.since, r.origin_failed)
    end
    states.close(request, r)
  end
  -- Write the line last, so that an error in this step does not keep the request's place at the origin.
  if access_log.takes() then var.nameplate_line = access_log.line(request, r, address_of) end
end

return _M
