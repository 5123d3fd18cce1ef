-- The state of each unfinished request of this worker, and the places that requests have at their origins.

local native = require "nameplate.native"
local origins = require "nameplate.origins"
local limits = require("nameplate.policy").limits

local _M = {}

--- The states, by the address of nginx's own record of the request. `ngx.ctx` would not survive the internal redirect to an error page.
local all = {}
_M.all = all

--- Requests that have a place at an origin: their number, and their number by the network of the visitor.
local in_flight, in_flight_of = 0, {}

--- States of ended requests, for use by later requests. Garbage collection of the states would take longer than the rest of a request.
local unused, unused_count = {}, 0
local UNUSED_MAX = 1000

--- Opens the state of a request. A request that goes on in the location of tunnels keeps its state.
function _M.open(request)
  local id = native.id(request)
  local r = all[id]
  if not r then
    if unused_count > 0 then
      r = unused[unused_count]
      unused_count = unused_count - 1
    else
      r = {}
    end
    all[id] = r
  end
  r.host, r.rare, r.address, r.route, r.origin, r.mark = false, false, false, false, false, false
  r.answered, r.origin_failed, r.failed, r.refused, r.has_page, r.is_headless = false, false, false, false, false, false
  return r
end

--- Returns the state of a request, or nil if nginx refused the request itself.
function _M.of(request)
  return all[native.id(request)]
end

function _M.is_full()
  return in_flight >= limits.requestsInFlightMax
end

--- Returns whether a network may have another request in flight. Its limit is a fixed part of the places that other
-- networks leave free.
function _M.has_room(network)
  local own = in_flight_of[network] or 0
  return own < math.ceil((limits.requestsInFlightMax - in_flight + own) / limits.requests_network_parts)
end

--- Counts a request as in flight to its origin.
function _M.enter(r, origin, network, now)
  r.origin, r.network, r.in_flight, r.since, r.attempts, r.first = origin, network, true, now, 0, 0
  r.upgrade, r.tunnel, r.slot = false, false, false
  in_flight, in_flight_of[network] = in_flight + 1, (in_flight_of[network] or 0) + 1
  origins.enter(origin)
end

--- Frees the slot of a request and its place in flight. A WebSocket needs neither once it is open.
function _M.land(r)
  local slot = r.slot
  if r.in_flight then
    local network, own = r.network, in_flight_of[r.network] - 1
    in_flight, in_flight_of[network] = in_flight - 1, own > 0 and own or nil
    r.in_flight = false
  end
  r.slot = false
  if slot then r.origin.requests:leave(slot) end
end

--- Closes the state of a request that has ended. The state keeps its fields until the next request.
function _M.close(request, r)
  all[native.id(request)] = nil
  local origin = r.origin
  if origin then
    _M.land(r)
    if r.tunnel then origin.tunnels:leave(r.tunnel) end
    origins.leave(origin)
  end
  if unused_count < UNUSED_MAX then
    unused_count = unused_count + 1
    unused[unused_count] = r
  end
end

return _M
