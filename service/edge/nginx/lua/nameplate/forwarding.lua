-- Builds what an origin gets, as `shared/edge/forwarding/request-headers.ts` does. nginx passes the visitor's headers on itself and removes
-- the fixed names. This module removes the others, and adds ours as one block that begins with the value of Host.

local ffi = require "ffi"
local control = require "nameplate.control"
local head = require "nameplate.head"
local native = require "nameplate.native"
local policy = require "nameplate.policy"
local signature = require "nameplate.signature"

local _M = {}

local concat = table.concat
local KEPT = {}
for _, name in ipairs(policy.never_cleared) do KEPT[name] = true end

local LOOP = "\r\nCDN-Loop: "
local FIRST_PASS = LOOP .. policy.loop_token

--- A piece of memory that grows with what is written to it.
local function scratch()
  return { bytes = ffi.new("unsigned char[?]", 4096), size = 4096 }
end
local block, signed = scratch(), scratch()

--- Returns the bytes of a piece of memory that has room for this many.
local function room(piece, count)
  if count > piece.size then
    piece.bytes, piece.size = ffi.new("unsigned char[?]", 2 * count), 2 * count
  end
  return piece.bytes
end

--- Writes a text at an offset. @return the offset behind it.
local function put(bytes, at, text)
  ffi.copy(bytes + at, text, #text)
  return at + #text
end

local second, timestamp, signature_header = -1, "", ""

--- Keeps the texts that change every second.
local function keep_time()
  local now = native.time()
  if now == second then return end
  second, timestamp = now, string.format("%d", now + control.clock_offset())
  signature_header = "\r\n" .. policy.timestamp_header .. ": " .. timestamp .. "\r\n" .. policy.signature_header .. ": v1="
end

--- Removes a header of the visitor, unless nginx makes it itself.
local function remove(name)
  if not KEPT[name] then ngx.req.clear_header(name) end
end

local function remove_all(names)
  for _, name in ipairs(names) do remove(name) end
end

--- Prepares the constant parts of a route at its first use. From then on, `rare` has those of the app's own headers that a visitor sends.
local function prepare(route)
  route.own = {}
  for name in route.origin_header_names:gmatch("%S+") do
    route.own[#route.own + 1] = name
    head.watch_for(name)
  end
  route.added = {}
  for _, scheme in ipairs { "http", "https" } do
    route.added[scheme] = route.headers .. "\r\nX-Forwarded-Proto: " .. scheme .. "\r\nX-Forwarded-For: "
  end
  route.key = signature.key(route.secret)
end

--- Removes what a visitor must not send. @return the line with the services that the request has passed through.
local function clean(route, rare)
  if rare.stripped then remove_all(rare.stripped) end
  if rare.connection then remove_all(rare.connection) end
  for _, name in ipairs(route.own) do
    if rare.read[name] then remove(name) end
  end
  local passes = rare.read["cdn-loop"]
  if not passes then return FIRST_PASS end
  return LOOP .. concat(passes, ", ") .. ", " .. policy.loop_token
end

--- Writes what is signed. @return the number of bytes.
local function put_signed(bytes, method, hostname, target, count, domain_id)
  local at = put(bytes, put(bytes, 0, timestamp), ".")
  at = put(bytes, put(bytes, at, method), ".")
  at = put(bytes, put(bytes, at, hostname), ".")
  ffi.copy(bytes + at, target, count)
  return put(bytes, put(bytes, at + count, "."), domain_id)
end

--- Hands the header block for the origin to nginx.
-- @param address the visitor's address. @param watched `head.watched` when the request was read. @param last lines behind the signature.
function _M.add_headers(request, route, scheme, hostname, address, method, target, count, rare, watched, last)
  if not route.key then prepare(route) end
  keep_time()
  local loop = rare and clean(route, rare) or FIRST_PASS
  -- Nobody looked for the names that became known after the request was read.
  if head.watched ~= watched then remove_all(route.own) end
  local domain_id, added = route.domain_id, route.added[scheme]
  local to_sign = room(signed, count + #hostname + #domain_id + 64)
  local to_sign_length = put_signed(to_sign, method, hostname, target, count, domain_id)
  local to = room(block, #hostname + #loop + #added + #address + #signature_header + signature.LENGTH + #last)
  local at = put(to, 0, hostname)
  at = put(to, put(to, put(to, put(to, at, loop), added), address), signature_header)
  signature.write(route.key, to_sign, to_sign_length, to + at)
  native.set(request, "nameplate_headers", to, put(to, at + signature.LENGTH, last))
end

return _M
