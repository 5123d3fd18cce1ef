-- Counts the traffic of domains, as `shared/core/traffic` does. Each worker adds up in its own memory. Every second it appends the sums to a
-- list in shared memory, from which the node process collects them.

local ffi = require "ffi"
local control = require "nameplate.control"
local native = require "nameplate.native"
local policy = require "nameplate.policy"

local _M = {}

local shared = ngx.shared.traffic
local LIST = "sums"
local COUNTERS = policy.traffic.counters
local LATENCY = policy.traffic.latency_index
local BOUNDS = policy.traffic.latency_bounds_ms
local LENGTH = LATENCY + #BOUNDS + 1
--- Domains that a worker adds up between two flushes. Beyond it, requests count towards the app alone.
local DOMAINS_MAX = policy.traffic.domains_max

local sums, count = {}, 0

local function sum_of(route)
  local key = route.domain_id
  local sum = sums[key]
  if sum then return sum end
  if count >= DOMAINS_MAX then
    key = route.app_id
    sum = sums[key]
    if sum then return sum end
  end
  sum = { owner = (key == route.app_id and "" or key) .. "\t" .. route.app_id }
  for i = 1, LENGTH do sum[i] = 0 end
  sums[key] = sum
  count = count + 1
  return sum
end

local REQUESTS, BYTES_IN, BYTES_OUT = COUNTERS.requests + 1, COUNTERS.bytes_in + 1, COUNTERS.bytes_out + 1
local STATUS, ABORTED, ORIGIN_ERRORS = COUNTERS.status_1xx, COUNTERS.aborted + 1, COUNTERS.origin_errors + 1

--- The bucket of each latency in milliseconds. Larger ones are in the last bucket.
local BUCKETS, SLOWEST = {}, LENGTH
for bucket = 1, #BOUNDS do
  for ms = (BOUNDS[bucket - 1] or -1) + 1, BOUNDS[bucket] do BUCKETS[ms] = LATENCY + bucket end
end

--- Returns the value of a variable that is a number of bytes; 0 for any other value.
local function bytes_of(request, name)
  local bytes, length = native.get(request, name)
  local number = bytes and tonumber(ffi.string(bytes, length)) or 0
  return number
end

--- Returns the bytes sent to all addresses of the origin that were tried. nginx separates them, as in "0, 512".
local function bytes_sent_to_origin(request)
  local bytes, length = native.get(request, "upstream_bytes_sent")
  local sum = 0
  if bytes then
    for number in ffi.string(bytes, length):gmatch("%d+") do sum = sum + tonumber(number) end
  end
  return sum
end

local counts = policy.traffic.counts

--- Counts a request that has ended.
-- @param status 499 if the visitor left before a response. @param latency_s seconds until the origin's response began, or false.
function _M.count(request, route, status, latency_s, origin_failed)
  if not counts then return end
  local sum = sum_of(route)
  sum[REQUESTS] = sum[REQUESTS] + 1
  -- The length of a request leaves out what a WebSocket carries.
  local received = status == 101 and bytes_sent_to_origin(request) or bytes_of(request, "request_length")
  sum[BYTES_IN] = sum[BYTES_IN] + received
  sum[BYTES_OUT] = sum[BYTES_OUT] + bytes_of(request, "bytes_sent")
  local has_left = status == 499 or status < 100
  local at = has_left and ABORTED or STATUS + math.floor(status / 100)
  sum[at] = sum[at] + 1
  if origin_failed then sum[ORIGIN_ERRORS] = sum[ORIGIN_ERRORS] + 1 end
  if latency_s then
    local bucket = BUCKETS[math.floor(latency_s * 1000 + 0.5)] or SLOWEST
    sum[bucket] = sum[bucket] + 1
  end
end

--- Moves the sums of this worker to the list. If the list is full, the rest stays for the next time.
function _M.flush()
  local now = math.floor(ngx.now() + control.clock_offset())
  for key, sum in pairs(sums) do
    local line = now .. "\t" .. sum.owner .. "\t" .. table.concat(sum, " ")
    if not shared:rpush(LIST, line) then return end
    sums[key] = nil
    count = count - 1
  end
end

--- Removes and returns the oldest lines of the list: the time in seconds, the domain, the app, and the counts. The domain is empty for
-- counts of the app alone.
function _M.collect(lines_max)
  local lines = {}
  for i = 1, lines_max do
    local line = shared:lpop(LIST)
    if not line then break end
    lines[i] = "traffic\t" .. line
  end
  return table.concat(lines, "\n")
end

return _M
