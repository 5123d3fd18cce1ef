-- HMAC-SHA256 (RFC 2104) over OpenSSL's SHA-256. The state after the padded key is computed once for each secret, so that a signature costs
-- three blocks and no allocation.

local ffi = require "ffi"
local bit = require "bit"

ffi.cdef [[
typedef struct { unsigned int h[8]; unsigned int low, high; unsigned char data[64]; unsigned int num, md_len; } nameplate_sha256;
int SHA256_Init(nameplate_sha256 *c);
int SHA256_Update(nameplate_sha256 *c, const void *data, size_t len);
int SHA256_Final(unsigned char *md, nameplate_sha256 *c);
unsigned char *ngx_hex_dump(unsigned char *to, unsigned char *from, size_t length);
]]

local _M = {}

local C = ffi.C
local BLOCK, DIGEST = 64, 32
local STATE = ffi.sizeof("nameplate_sha256")
local state = ffi.new("nameplate_sha256")
local digest = ffi.new("unsigned char[?]", DIGEST)

--- Number of bytes that `write` writes.
_M.LENGTH = 2 * DIGEST

local function state_after(key, padding)
  local padded = ffi.new("unsigned char[?]", BLOCK)
  ffi.copy(padded, key, #key)
  for i = 0, BLOCK - 1 do padded[i] = bit.bxor(padded[i], padding) end
  local after = ffi.new("nameplate_sha256")
  C.SHA256_Init(after)
  C.SHA256_Update(after, padded, BLOCK)
  return after
end

--- Prepares a secret. A key longer than a block is hashed first.
function _M.key(secret)
  if #secret == 0 then error("signing needs a secret that is not empty") end
  if #secret > BLOCK then
    C.SHA256_Init(state)
    C.SHA256_Update(state, secret, #secret)
    C.SHA256_Final(digest, state)
    secret = ffi.string(digest, DIGEST)
  end
  return { inner = state_after(secret, 0x36), outer = state_after(secret, 0x5c) }
end

local hexadecimal = ffi.new("unsigned char[?]", 2 * DIGEST)

--- Returns some bytes in hexadecimal. @param bytes at most as many as an HMAC has.
function _M.hex(bytes)
  ffi.copy(digest, bytes, #bytes)
  C.ngx_hex_dump(hexadecimal, digest, #bytes)
  return ffi.string(hexadecimal, 2 * #bytes)
end

--- Returns the HMAC of a text in hexadecimal.
function _M.of(key, text)
  _M.write(key, text, #text, hexadecimal)
  return ffi.string(hexadecimal, 2 * DIGEST)
end

--- Writes the HMAC of some bytes in hexadecimal.
function _M.write(key, bytes, count, to)
  ffi.copy(state, key.inner, STATE)
  C.SHA256_Update(state, bytes, count)
  C.SHA256_Final(digest, state)
  ffi.copy(state, key.outer, STATE)
  C.SHA256_Update(state, digest, DIGEST)
  C.SHA256_Final(digest, state)
  C.ngx_hex_dump(to, digest, DIGEST)
end

return _M
