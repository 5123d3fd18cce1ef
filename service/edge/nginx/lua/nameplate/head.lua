-- Reads the headers of a request in place: one pass over nginx's own list, without a Lua string for most of them.

local ffi = require "ffi"
local bit = require "bit"
require "resty.core"
local policy = require "nameplate.policy"
local get_request = require("resty.core.base").get_request

local _M = {}

local C = ffi.C
local HEADERS_MAX = policy.limits.headersMax
local headers = ffi.new("ngx_http_lua_ffi_table_elt_t[?]", HEADERS_MAX + 1)
local truncated = ffi.new("int[1]")

--- Headers whose values decide something, by name. A name is compared only if its length is one of these.
local READ, LENGTHS = {}, {}
for _, name in ipairs(policy.read_headers) do
  READ[name] = true
  LENGTHS[#name] = true
end

local PREFIXES = policy.stripped_prefixes
--- The first letters of the prefixes.
local INITIALS = {}
for _, prefix in ipairs(PREFIXES) do INITIALS[prefix:byte(1)] = true end

--- True for the bytes that no header value may contain.
local CONTROL = ffi.new("unsigned char[256]")
for i = 0, 31 do CONTROL[i] = 1 end
CONTROL[9], CONTROL[127] = 0, 1

local function is_plain(data, length)
  local found = 0
  for i = 0, length - 1 do found = bit.bor(found, CONTROL[data[i]]) end
  return found == 0
end

local function has_stripped_prefix(name)
  for i = 1, #PREFIXES do
    if name:find(PREFIXES[i], 1, true) == 1 then return true end
  end
  return false
end

local NONE = {}
--- The usual value of Connection, which decides nothing.
local KEEP_ALIVE = "keep-alive"

--- Reads the headers.
-- @return the values by name of the headers in `read_headers` but for the first Host, the names to remove, and the first Host; or nil and
-- the refusal.
function _M.read()
  local r = get_request()
  local count = C.ngx_http_lua_ffi_req_get_headers_count(r, HEADERS_MAX, truncated)
  if truncated[0] ~= 0 then return nil, "too_many_headers" end
  C.ngx_http_lua_ffi_req_get_headers(r, headers, count, 0)
  local read, stripped, host = NONE, nil, nil
  for i = 0, count - 1 do
    local each = headers[i]
    local key, length = each.key.data, each.key.len
    local value, value_length = each.value.data, each.value.len
    if not is_plain(value, value_length) then return nil, "control_characters" end
    if LENGTHS[length] then
      local name = ffi.string(key, length)
      if READ[name] then
        local text = ffi.string(value, value_length)
        if name == "host" and not host then
          host = text
        elseif text ~= KEEP_ALIVE or name ~= "connection" then
          if read == NONE then read = {} end
          local values = read[name] or {}
          values[#values + 1] = text
          read[name] = values
        end
      end
    end
    if INITIALS[key[0]] then
      local name = ffi.string(key, length)
      if has_stripped_prefix(name) then
        stripped = stripped or {}
        stripped[#stripped + 1] = name
      end
    end
  end
  return read, stripped, host
end

return _M
