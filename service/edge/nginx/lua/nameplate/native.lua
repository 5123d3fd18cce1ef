-- Reads and writes nginx's own records through the C functions behind its Lua API. The API makes a Lua string of each value, and LuaJIT
-- cannot compile all of it.
--
-- LuaJIT compiles a phase of a request whole if nothing in it is a loop, a C function of the classic interface, or a function that ends in the
-- call of a built-in one (`return tonumber(…)`). Otherwise the interpreter runs parts of it. The usual path of a request keeps to that
-- (`decisions/0065`).

local ffi = require "ffi"
require "resty.core"
local base = require "resty.core.base"
local get_request = base.get_request

ffi.cdef [[
size_t strspn(const char *text, const char *accepted);
size_t strcspn(const char *text, const char *refused);
int memcmp(const void *one, const void *other, size_t length);
]]

-- The access phase has more constants than LuaJIT allows by default.
jit.opt.start("maxirconst=4000", "maxrecord=16000")

local _M = {}

local C = ffi.C
local OK = base.FFI_OK
local value, length = ffi.new("char *[1]"), ffi.new("size_t[1]")
local lowercase = ffi.new("unsigned char[64]")
local message, message_length = ffi.new("unsigned char[256]"), ffi.new("size_t[1]")
local errors = base.get_errmsg_ptr()

_M.request = get_request

--- Returns the number that identifies a request: the address of nginx's record of it.
function _M.id(request)
  local id = tonumber(ffi.cast("uintptr_t", request))
  return id
end

--- Returns the bytes of a variable and their number, or nil. nginx keeps the bytes until the request ends.
function _M.get(request, name)
  if C.ngx_http_lua_ffi_var_get(request, name, #name, lowercase, 0, value, length, errors) ~= OK then return nil, 0 end
  local count = tonumber(length[0])
  return value[0], count
end

--- Returns whether a variable has a value that is not empty.
function _M.has(request, name)
  local _, count = _M.get(request, name)
  return count > 0
end

--- Sets a variable to a copy of some bytes.
function _M.set(request, name, bytes, count)
  message_length[0] = 256
  if C.ngx_http_lua_ffi_var_set(request, name, #name, lowercase, bytes, count, message, message_length) ~= OK then
    error(ffi.string(message, message_length[0]))
  end
end

--- Returns whether some bytes are those of a text.
function _M.equals(bytes, count, text)
  return count == #text and C.memcmp(bytes, text, count) == 0
end

--- Returns whether some bytes start with a text.
function _M.starts(bytes, count, text)
  return count >= #text and C.memcmp(bytes, text, #text) == 0
end

--- Removes a header of the response.
function _M.remove_header(request, name)
  C.ngx_http_lua_ffi_set_resp_header(request, name, #name, 1, nil, 0, nil, 0, 1, errors)
end

--- Returns the status of the response; 9 for one without a status line, which nginx takes for HTTP/0.9.
function _M.status(request)
  local status = C.ngx_http_lua_ffi_get_resp_status(request)
  return status
end

--- Returns the time in seconds, to the millisecond, when nginx last looked at the clock.
function _M.now()
  local now = C.ngx_http_lua_ffi_now()
  return now
end

--- Returns the monotonic time in seconds. All processes of the machine share this clock, and time corrections do not move it.
function _M.uptime()
  return tonumber(C.ngx_http_lua_ffi_monotonic_msec()) / 1000
end

--- Returns the time in whole seconds.
function _M.time()
  local time = tonumber(C.ngx_http_lua_ffi_time())
  return time
end

return _M
