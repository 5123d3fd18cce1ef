-- Ends requests and WebSockets if their domain is no longer served or their visitor reads too slowly. nginx has no call to end a request,
-- so this shuts down the connection to the visitor. nginx notices that at once.

local ffi = require "ffi"
local native = require "nameplate.native"
local states = require "nameplate.states"
local limits = require("nameplate.policy").limits

-- The first fields of nginx's records are the same in all versions. A stream of HTTP/2 has a connection of its own, with the descriptor of
-- the connection that carries it. `tcp_info` is Linux's, up to `tcpi_bytes_received`.
ffi.cdef [[
typedef struct { void *data; unsigned int others : 5, ready : 1; } nameplate_event;
typedef struct { void *data, *read; nameplate_event *write; int descriptor; char other[44]; int64_t sent; } nameplate_connection;
typedef struct { unsigned int signature; nameplate_connection *connection; } nameplate_request;
typedef struct { char other[120]; uint64_t acked, received; } nameplate_tcp_info;
int shutdown(int fd, int how);
int getsockopt(int fd, int level, int name, void *value, unsigned int *length);
int ioctl(int fd, unsigned long request, ...);
]]

local _M = {}
local C, LOOKUPS_MAX = ffi.C, 16
local SHUT_RDWR, IPPROTO_TCP, TCP_INFO, SIOCOUTQ = 2, 6, 11, 0x5411
local info, queued, length = ffi.new("nameplate_tcp_info"), ffi.new("int[1]"), ffi.new("unsigned int[1]")

--- Reads what TCP knows of a connection. @return false for HTTP/3, which has the socket that all visitors of the worker share.
local function read_info(descriptor)
  length[0] = ffi.sizeof(info)
  return C.getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, info, length) == 0 and length[0] == ffi.sizeof(info)
end

local function end_request(address)
  local descriptor = ffi.cast("nameplate_request *", address).connection.descriptor
  if read_info(descriptor) then C.shutdown(descriptor, SHUT_RDWR) end
end

--- Ends the requests of a hostname whose domain the route does not serve.
local function end_others(route, hostname, requests)
  local served = route and route.kind == "route" and route.domain_id
  for address, since in pairs(requests) do
    local r = states.all[address]
    -- During a lookup, the request may have ended, and another request may use its record and its state.
    local is_same = r and r.origin and r.since == since and r.host.hostname == hostname
    if is_same and served ~= r.route.domain_id then end_request(address) end
  end
end

local is_looking_up = false

--- Ends the requests of domains that are no longer served. Routes that have to be read again are looked up, `LOOKUPS_MAX` at a time. If a
-- lookup fails, the requests go on.
function _M.end_unserved(routes)
  local by_hostname, stale, lanes = {}, {}, {}
  for address, r in pairs(states.all) do
    local hostname = r.origin and r.host.hostname
    if hostname then
      by_hostname[hostname] = by_hostname[hostname] or {}
      by_hostname[hostname][address] = r.since
    end
  end
  for hostname, requests in pairs(by_hostname) do
    local route, is_stale = routes:peek(hostname)
    if is_stale then stale[#stale + 1] = hostname else end_others(route, hostname, requests) end
  end
  if is_looking_up then return end
  is_looking_up = true
  local function take_turns()
    while #stale > 0 do
      local hostname = table.remove(stale)
      local route, err = routes:get(hostname)
      if not err then end_others(route, hostname, by_hostname[hostname]) end
    end
  end
  for i = 1, math.min(LOOKUPS_MAX, #stale) do lanes[i] = ngx.thread.spawn(take_turns) end
  for _, lane in ipairs(lanes) do ngx.thread.wait(lane) end
  is_looking_up = false
end

--- Returns the bytes that moved so far, or nil while nothing waits for the visitor.
local function moved_while_waiting(address)
  local connection = ffi.cast("nameplate_request *", address).connection
  -- Flow control can block a stream of HTTP/2 while its connection is idle, or while other streams move.
  if native.has(ffi.cast("ngx_http_request_t *", address), "http2") then
    return connection.write.ready == 0 and tonumber(connection.sent) or nil
  end
  if C.ioctl(connection.descriptor, SIOCOUTQ, queued) ~= 0 or queued[0] == 0 then return nil end
  return read_info(connection.descriptor) and tonumber(info.acked + info.received) or nil
end

--- Ends the requests whose visitor took too few bytes in a window while bytes waited for it.
function _M.demand_progress()
  local now = ngx.now()
  for address, r in pairs(states.all) do
    local slots = r.origin and r.origin.requests
    local moved, mark = slots and moved_while_waiting(address), r.mark
    local pace = slots and slots.waiting > 0 and slots.taken >= slots.rules.slots_max and "contested" or "progress"
    local is_due = moved and mark and now - mark.at >= limits[pace .. "_window_ms"] / 1000
    if is_due and moved - mark.moved < limits[pace .. "_bytes_min"] then end_request(address) end
    if is_due or not (moved and mark) then r.mark = moved and { at = now, moved = moved } or false end
  end
end

return _M
