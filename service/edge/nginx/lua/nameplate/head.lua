-- Reads the headers of a request in place: one pass over nginx's own list, without a Lua string for most of them.

local ffi = require "ffi"
local native = require "nameplate.native"
local policy = require "nameplate.policy"

local _M = {}

local C = ffi.C
local HEADERS_MAX, BYTES_MAX = policy.limits.headersMax, policy.limits.header_bytes_max
--- A line has at least a colon, a name and a line break.
local LINES_MAX = BYTES_MAX / 4
local headers = ffi.new("ngx_http_lua_ffi_table_elt_t[?]", LINES_MAX + 1)
local truncated = ffi.new("int[1]")

--- Headers whose values decide something, by name. A name is compared only if its length and first letter are those of one of them.
local READ, CANDIDATES = {}, {}

--- Number of names that `read` looks for.
_M.watched = 0

--- Makes `read` return the values of a header.
function _M.watch_for(name)
  if READ[name] then return end
  READ[name] = true
  _M.watched = _M.watched + 1
  CANDIDATES[256 * #name + name:byte()] = true
end

for _, name in ipairs(policy.read_headers) do _M.watch_for(name) end

local ONE, OTHER = unpack(policy.stripped_prefixes)

--- The bytes that no header value may contain. strcspn also stops at NUL, which nginx writes behind each value.
local CONTROL = "\127"
for i = 1, 31 do
  if i ~= 9 then CONTROL = CONTROL .. string.char(i) end
end

local NONE = {}
--- The usual value of Connection, which decides nothing.
local KEEP_ALIVE = "keep-alive"

--- Returns the number of headers. The lines of Cookie count as one.
local function count_headers(lines)
  local count, cookies = lines, 0
  for i = 0, lines - 1 do
    local key = headers[i].key
    if key.len == 6 and ffi.string(key.data, 6):lower() == "cookie" then cookies = cookies + 1 end
  end
  return count - math.max(0, cookies - 1)
end

--- Reads the headers.
-- @return the values by name of the headers in `read_headers` but for the first Host, the names to remove, and the first Host, which is empty
-- if there is none; or nil and the refusal.
function _M.read(request)
  local count = C.ngx_http_lua_ffi_req_get_headers_count(request, LINES_MAX, truncated)
  if truncated[0] ~= 0 then return nil, "too_many_headers" end
  C.ngx_http_lua_ffi_req_get_headers(request, headers, count, 0)
  if count > HEADERS_MAX and count_headers(count) > HEADERS_MAX then return nil, "too_many_headers" end
  local bytes = 0
  -- Variables that keep their types in the usual loop, as LuaJIT needs them.
  local read, stripped, host, hosts = NONE, nil, "", 0
  for i = 0, count - 1 do
    local each = headers[i]
    local key, length = each.key.data, each.key.len
    local value, value_length = each.value.data, each.value.len
    bytes = bytes + length + value_length
    if value_length > 0 and C.strcspn(value, CONTROL) < value_length then return nil, "control_characters" end
    if CANDIDATES[256 * length + key[0]] then
      local name = ffi.string(key, length)
      if READ[name] then
        local text = ffi.string(value, value_length)
        if name == "host" and hosts == 0 then
          host, hosts = text, 1
        elseif text ~= KEEP_ALIVE or name ~= "connection" then
          if read == NONE then read = {} end
          local values = read[name] or {}
          values[#values + 1] = text
          read[name] = values
        end
      end
    end
    if native.starts(key, length, ONE) or native.starts(key, length, OTHER) then
      stripped = stripped or {}
      stripped[#stripped + 1] = ffi.string(key, length)
    end
  end
  if bytes > BYTES_MAX then return nil, "large_headers" end
  return read, stripped, host
end

_M.NONE = NONE

return _M
