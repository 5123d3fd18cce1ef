-- The origins of this worker. Each has one of the upstream blocks of the configuration, and with it a pool of connections. nginx finds a
-- kept connection by address alone, so two origins must never share a pool: behind a CDN, many origins have one address. A pool is given
-- to another origin only after its last kept connection must have timed out.

local policy = require "nameplate.policy"
local native = require "nameplate.native"
local cached = require "nameplate.cached"
local fair_slots = require "nameplate.fair_slots"
local balancer = require "ngx.balancer"

local _M = {}

local limits = policy.limits
local addresses_of = cached.new("origin", ngx.shared.origins)
--- How long checked addresses are used before they are looked up again.
local FRESH_S = policy.origins.fresh_s
local IDLE_S = policy.origins.keep_alive_s + 5
--- How long a connection may take: to the only address of an origin, and to one of several.
local CONNECT_S, TRIED_S = policy.origins.connect_s, policy.origins.tried_s
--- The upstream block without kept connections, for origins that find no free pool.
local NO_POOL = "single"

local by_url, free = {}, {}
-- nginx looks for a block from the first one on, so the first ones are used first.
for i = policy.origins.pools, 1, -1 do free[#free + 1] = "pool" .. i end

local REQUESTS = {
  slots_max = limits.origin_connections_max,
  per_party_max = limits.origin_connections_per_network_max,
  shared_from = limits.origin_connections_max / 2,
  queued_max = limits.origin_queued_max,
  queued_per_party_max = limits.origin_queued_per_network_max,
}
local TUNNELS = {
  slots_max = limits.origin_tunnels_max,
  per_party_max = limits.origin_tunnels_per_network_max,
  shared_from = 0,
  queued_max = 0,
  queued_per_party_max = 0,
}

local function is_idle(origin, now)
  return origin.users == 0 and now - origin.used_at > IDLE_S
end

--- Forgets the origins that have had no request for so long that no connection to them is left.
local function forget_idle(now)
  for url, origin in pairs(by_url) do
    if is_idle(origin, now) then
      by_url[url] = nil
      if origin.pool ~= NO_POOL then free[#free + 1] = origin.pool end
    end
  end
end

local function create(url)
  if #free == 0 then forget_idle(ngx.now()) end
  local pool = table.remove(free) or NO_POOL
  local is_tls = url:sub(1, 6) == "https:"
  local origin = {
    url = url,
    is_tls = is_tls,
    pool = pool,
    pass = (is_tls and "https://" or "http://") .. pool,
    keeps = pool ~= NO_POOL,
    requests = fair_slots.new(REQUESTS),
    tunnels = fair_slots.new(TUNNELS),
    users = 0,
    used_at = 0,
    looked_up_at = -math.huge,
  }
  by_url[url] = origin
  return origin
end

local function look_up(origin)
  -- If the node process does not respond, the worker uses the addresses that it received last.
  local found, err = addresses_of:read(origin.url, addresses_of:peek(origin.url) or origin.found)
  if not found then return nil, err or "unknown" end
  if found.error ~= "" then return nil, found.error end
  origin.found = found
  local list = {}
  for address in found.addresses:gmatch("%S+") do list[#list + 1] = address end
  -- The address that worked last stays the first one.
  local first = 0
  for i = 1, #list do
    if list[i] == origin.last then first = i - 1 end
  end
  origin.addresses, origin.first, origin.looked_up_at = list, first, ngx.now()
  origin.host, origin.port = found.host, tonumber(found.port)
  return true
end

local function refresh(premature, origin)
  if premature then return end
  look_up(origin)
  origin.is_refreshing = false
end

--- Returns the origin of a URL with addresses that the node process has checked, or nil and the reason.
function _M.find(url, now)
  local origin = by_url[url] or create(url)
  -- Its pool is not given away during the lookup.
  origin.used_at = now
  local age = now - origin.looked_up_at
  if age < FRESH_S then return origin end
  if origin.addresses and age < 3 * FRESH_S then
    if not origin.is_refreshing then
      origin.is_refreshing = true
      ngx.timer.at(0, refresh, origin)
    end
    return origin
  end
  local ok, err = look_up(origin)
  if ok then return origin end
  return nil, err
end

--- Notes that a request uses an origin.
function _M.enter(origin)
  origin.users = origin.users + 1
end

function _M.leave(origin)
  origin.users = origin.users - 1
  origin.used_at = native.now()
end

--- Chooses the address of the next attempt (`balancer_by_lua`). nginx connects to nothing else. Later requests begin at the last one.
function _M.connect(r)
  local origin = r.origin
  local list = origin.addresses
  local attempt = r.attempts + 1
  r.attempts = attempt
  if attempt > 1 then
    origin.first = (r.first + attempt - 1) % #list
    origin.last = list[origin.first + 1]
  else
    r.first = origin.first
    if #list > 1 then
      balancer.set_more_tries(#list - 1)
      balancer.set_timeouts(math.max(CONNECT_S / #list, TRIED_S), nil, nil)
    end
  end
  local ok, err = balancer.set_current_peer(list[(r.first + attempt - 1) % #list + 1], origin.port)
  if not ok then ngx.log(ngx.ERR, "cannot connect to the origin: ", err) end
end

return _M
