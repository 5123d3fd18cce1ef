-- Finds the address of a visitor behind trusted proxies, as `shared/core/edge/visitor-networks.ts` does.

local ffi = require "ffi"
local bit = require "bit"
local policy = require "nameplate.policy"

ffi.cdef [[ int inet_pton(int family, const char *text, void *to); const char *inet_ntop(int family, const void *from, char *to, unsigned int size); ]]

local _M = {}

local C = ffi.C
local INET, INET6 = 2, 10
local buffer = ffi.new("unsigned char[16]")
local text = ffi.new("char[64]")

--- Reads an address into its bytes. An IPv4 address that is mapped to IPv6 counts as IPv4.
local function bytes_of(address)
  if C.inet_pton(INET, address, buffer) == 1 then return ffi.string(buffer, 4) end
  if C.inet_pton(INET6, address, buffer) ~= 1 then return nil end
  local bytes = ffi.string(buffer, 16)
  if bytes:sub(1, 12) == ("\0"):rep(10) .. "\255\255" then return bytes:sub(13) end
  return bytes
end

local networks = {}
for _, network in ipairs(policy.proxies) do
  local address, bits = network:match("^([^/]+)/?(%d*)$")
  local bytes = bytes_of(address)
  networks[#networks + 1] = { bytes = bytes, bits = tonumber(bits) or 8 * #bytes }
end

_M.has_proxies = #networks > 0

local function is_in(bytes, network)
  if #bytes ~= #network.bytes then return false end
  local whole = math.floor(network.bits / 8)
  if bytes:sub(1, whole) ~= network.bytes:sub(1, whole) then return false end
  local rest = network.bits % 8
  if rest == 0 then return true end
  local shift = 8 - rest
  return bit.rshift(bytes:byte(whole + 1), shift) == bit.rshift(network.bytes:byte(whole + 1), shift)
end

local function is_trusted(bytes)
  for _, network in ipairs(networks) do
    if is_in(bytes, network) then return true end
  end
  return false
end

--- Returns whether an address is that of a trusted proxy.
function _M.is_proxy(address)
  local bytes = bytes_of(address)
  return bytes ~= nil and is_trusted(bytes)
end

local function spelled(bytes)
  local ok = C.inet_ntop(#bytes == 4 and INET or INET6, bytes, text, 64)
  return ok ~= nil and ffi.string(text) or nil
end

--- Reads a member of X-Forwarded-For into the bytes of its address. Some proxies add a port, and brackets around an IPv6 address.
local function member_bytes(member)
  member = member:match("^%s*(.-)%s*$")
  return bytes_of(member:match("^%[([%x:.]+)%]:?%d*$") or member:match("^(%d+%.%d+%.%d+%.%d+):%d+$") or member)
end

--- Returns the visitor's address. @param values the values of all X-Forwarded-For headers, in order.
function _M.behind(peer, values)
  local nearest = bytes_of(peer)
  if not nearest or not is_trusted(nearest) then return peer end
  local members = {}
  for member in (table.concat(values, ",") .. ","):gmatch("([^,]*),") do members[#members + 1] = member end
  for i = #members, 1, -1 do
    if not is_trusted(nearest) then break end
    local bytes = member_bytes(members[i])
    if not bytes then break end
    nearest = bytes
  end
  return spelled(nearest)
end

--- Returns the network that counts as one visitor: an IPv4 address, or the /64 of an IPv6 address.
function _M.network(address)
  if not address:find(":", 1, true) then return address end
  local bytes = bytes_of(address)
  return bytes and bytes:sub(1, 8) or address
end

return _M
