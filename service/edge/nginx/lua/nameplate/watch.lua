-- Ends requests and WebSockets that must not continue: those of domains that are no longer served, as `shared/edge/routing/route-watch.ts`
-- does, and those whose visitor reads too slowly, as `shared/edge/listeners/connections.ts` does. nginx has no call for that. It notices
-- at once when its connection to the visitor is shut down.

local bit = require "bit"
local ffi = require "ffi"
local native = require "nameplate.native"
local policy = require "nameplate.policy"

ffi.cdef [[
int shutdown(int fd, int how);
int getsockopt(int fd, int level, int name, void *value, unsigned int *length);
int ioctl(int fd, unsigned long request, ...);
]]

local _M = {}

local C = ffi.C
local limits = policy.limits
local LOOKUPS_MAX = 16
local SHUT_RDWR, IPPROTO_TCP, TCP_INFO, SIOCOUTQ = 2, 6, 11, 0x5411
local SOL_SOCKET, SO_TYPE, SOCK_STREAM = 1, 3, 1
--- Offsets of `tcpi_bytes_acked` and `tcpi_bytes_received` in Linux's `tcp_info`.
local ACKED, RECEIVED, INFO_BYTES = 120, 128, 136
local REQUEST = ffi.typeof("ngx_http_request_t *")
local info = ffi.new("unsigned char[256]")
local length = ffi.new("unsigned int[1]")
local queued = ffi.new("int[1]")

-- The first fields of nginx's records are the same in all versions: `connection` of a request; `write`, `fd` and `sent` of a connection;
-- and the flags of an event. A stream of HTTP/2 has a connection of its own, with the descriptor of the connection that carries it.
local WRITE, DESCRIPTOR, SENT = 16, 24, 72
local FLAGS, IS_READY = 8, 32

local function connection_of(address)
  return ffi.cast("char *", ffi.cast("void **", address)[1])
end

local function descriptor_of(connection)
  return ffi.cast("int *", connection + DESCRIPTOR)[0]
end

--- Returns whether the visitor's connection is one of TCP. HTTP/3 has the socket that all visitors of the worker share.
local function is_tcp(descriptor)
  length[0] = 4
  return C.getsockopt(descriptor, SOL_SOCKET, SO_TYPE, queued, length) == 0 and queued[0] == SOCK_STREAM
end

local function end_request(address)
  local descriptor = descriptor_of(connection_of(address))
  if is_tcp(descriptor) then C.shutdown(descriptor, SHUT_RDWR) end
end

local function leads_to(route, ticket)
  return route ~= nil and route.kind == "route" and route.domain_id == ticket.route.domain_id
end

local is_looking_up = false

--- Looks a route up, and ends its requests if their domain is no longer served. If that fails, they go on.
local function look_up(routes, tickets, hostname, requests)
  local route, err = routes:get(hostname)
  if err then return end
  for address, since in pairs(requests) do
    local ticket = tickets[address]
    -- The request may have ended meanwhile, and another one may have its record and its ticket.
    local is_same = ticket and ticket.since == since and ticket.host.hostname == hostname
    if is_same and not leads_to(route, ticket) then end_request(address) end
  end
end

--- Looks up all routes, `LOOKUPS_MAX` at a time. While some take long, the others go on.
local function look_up_all(routes, tickets, hostnames, by_hostname)
  local at = 0
  local function take_turns()
    while at < #hostnames do
      at = at + 1
      look_up(routes, tickets, hostnames[at], by_hostname[hostnames[at]])
    end
  end
  is_looking_up = true
  local lanes = {}
  for i = 1, math.min(LOOKUPS_MAX, #hostnames) do lanes[i] = ngx.thread.spawn(take_turns) end
  for _, lane in ipairs(lanes) do ngx.thread.wait(lane) end
  is_looking_up = false
end

--- Ends the requests of domains that are no longer served. Routes that have to be read again are looked up once for all of their requests.
function _M.end_unserved(routes, tickets)
  local hostnames, by_hostname = {}, {}
  local now = ngx.now()
  for address, ticket in pairs(tickets) do
    if now - ticket.since >= 1 then
      local hostname = ticket.host.hostname
      local route, is_stale = routes:peek(hostname)
      if is_stale then
        if not by_hostname[hostname] then
          hostnames[#hostnames + 1] = hostname
          by_hostname[hostname] = {}
        end
        by_hostname[hostname][address] = ticket.since
      elseif not leads_to(route, ticket) then
        end_request(address)
      end
    end
  end
  if not is_looking_up then look_up_all(routes, tickets, hostnames, by_hostname) end
end

--- Returns the bytes of a response that nginx has sent so far, or nil unless it waits to send more of them.
local function sent_while_waiting(connection)
  local write = ffi.cast("char **", connection + WRITE)[0]
  if bit.band(ffi.cast("unsigned int *", write + FLAGS)[0], IS_READY) ~= 0 then return nil end
  return tonumber(ffi.cast("int64_t *", connection + SENT)[0])
end

--- Returns the bytes that moved so far in both directions, or nil while nothing waits for the visitor.
local function moved_while_waiting(address)
  local connection = connection_of(address)
  -- Flow control can block a stream of HTTP/2 while its connection is idle, or while other streams move.
  if native.get(ffi.cast(REQUEST, address), "http2") then return sent_while_waiting(connection) end
  local descriptor = descriptor_of(connection)
  if C.ioctl(descriptor, SIOCOUTQ, queued) ~= 0 or queued[0] == 0 then return nil end
  length[0] = 256
  if C.getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, info, length) ~= 0 or length[0] < INFO_BYTES then return nil end
  return tonumber(ffi.cast("uint64_t *", info + ACKED)[0] + ffi.cast("uint64_t *", info + RECEIVED)[0])
end

local function pace_of(ticket)
  local slots = ticket.origin.requests
  if slots.waiting > 0 and slots.taken >= slots.rules.slots_max then
    return limits.contested_window_ms / 1000, limits.contested_bytes_min
  end
  return limits.progress_window_ms / 1000, limits.progress_bytes_min
end

--- Ends the requests whose visitor took too few bytes in a window while bytes waited for it.
function _M.demand_progress(tickets)
  local now = ngx.now()
  for address, ticket in pairs(tickets) do
    if now - ticket.since >= 2 then
      local window_s, bytes_min = pace_of(ticket)
      local moved = moved_while_waiting(address)
      local mark = ticket.mark
      if not moved then
        ticket.mark = false
      elseif not mark then
        ticket.mark = { at = now, moved = moved }
      elseif now - mark.at >= window_s then
        if moved - mark.moved < bytes_min then end_request(address) end
        ticket.mark = { at = now, moved = moved }
      end
    end
  end
end

return _M
