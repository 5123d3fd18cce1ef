-- Parses a request's head or refuses it, as `shared/edge/wire/request-head.ts` does. nginx's own parser has already refused requests that two
-- parsers could read differently: two lengths, a length beside a transfer coding, and any coding but chunked.

local ffi = require "ffi"
local policy = require "nameplate.policy"
local head = require "nameplate.head"
local native = require "nameplate.native"

local _M = {}

local C = ffi.C
local METHODS = {}
for _, method in ipairs(policy.methods) do METHODS[method] = true end
--- The versions of HTTP, by the codes of their two digits.
local VERSIONS = { [0x3131] = true, [0x3230] = true, [0x3130] = true, [0x3330] = true }
local VERSION_CHARS = #"HTTP/1.1"
local SCHEMES = { http = true, https = true }
local LOOP_TOKEN = policy.loop_token
local PASSES_MAX = policy.passes_max
--- Characters of a target: visible ASCII without `#`.
local TARGET = ""
for i = 33, 126 do
  if i ~= 35 then TARGET = TARGET .. string.char(i) end
end
local HOST_CHARS_MAX = policy.host_chars_max
local HOSTS_KEPT_MAX = 20000

local hosts, host_count = {}, 0

local function parse_host(text)
  if #text > HOST_CHARS_MAX then return false end
  local name, port = text:lower():match("^(.-)(:%d+)$")
  if not name then name, port = text:lower(), "" end
  if #port > 6 or (tonumber(port:sub(2)) or 0) > 65535 then return false end
  if name:sub(-1) == "." then name = name:sub(1, -2) end
  local is_address = name:find("^%[[0-9a-f:.]+%]$") ~= nil
  local is_name = name:find("^[a-z0-9_.-]+$") ~= nil and not ("." .. name .. "."):find("..", 1, true)
  if not is_address and not is_name then return false end
  local suffix = ""
  if policy.localhost_suffix and name:sub(-10) == ".localhost" then
    suffix, name = ".localhost", name:sub(1, -11)
  end
  if #name > 253 then return false end
  return { hostname = name, port = port, suffix = suffix, asked = name .. suffix }
end

--- Returns the parts of a Host header, or false. Most requests have a Host that was parsed before.
local function host_of(text)
  local known = hosts[text]
  if known ~= nil then return known end
  if host_count >= HOSTS_KEPT_MAX then hosts, host_count = {}, 0 end
  known = parse_host(text)
  hosts[text] = known
  host_count = host_count + 1
  return known
end

--- Returns the members of a comma-separated list in lowercase.
local function members_of(values)
  local members = {}
  for _, value in ipairs(values or {}) do
    for member in value:lower():gmatch("[^,]+") do
      member = member:match("^%s*(.-)%s*$")
      if member ~= "" then members[#members + 1] = member end
    end
  end
  return members
end
_M.members_of = members_of

local function passes(members)
  local count = 0
  for _, member in ipairs(members) do
    if member:match("^([^;]-)%s*;") == LOOP_TOKEN or member == LOOP_TOKEN then count = count + 1 end
  end
  return count
end

local function includes(list, wanted)
  for _, each in ipairs(list) do
    if each == wanted then return true end
  end
  return false
end

--- A WebSocket handshake (RFC 6455 section 4.1). Other upgrades are ignored.
local function is_upgrade(method, version, read, connection)
  if method ~= "GET" or version ~= 1.1 or not read.upgrade then return false end
  local protocols = members_of(read.upgrade)
  return #protocols == 1 and protocols[1] == "websocket" and includes(connection, "upgrade")
end

local function has_body(read)
  if read["transfer-encoding"] then return true end
  local lengths = read["content-length"]
  return lengths ~= nil and lengths[1]:find("^0*$") == nil
end

--- HTTP/2 and later have no connection headers, and no TE but `trailers` (RFC 9113 section 8.2.2).
local function has_connection_header(read)
  for _, name in ipairs(policy.connection_headers) do
    if read[name] then return true end
  end
  return read.te ~= nil and read.te[1]:lower() ~= "trailers"
end

--- Returns whether some bytes are a version such as `HTTP/1.1`.
local function is_version(bytes)
  return native.starts(bytes, VERSION_CHARS, "HTTP/") and bytes[6] == 46 and VERSIONS[256 * bytes[5] + bytes[7]] ~= nil
end

--- Checks the headers that few requests have. @return what follows from them, or nil and the refusal.
local function read_rare(method, read, stripped, authority, is_http1)
  for _, each in ipairs(read.host or head.NONE) do
    if each:lower() ~= authority:lower() then return nil, "several_hosts" end
  end
  if read["content-length"] and #read["content-length"] > 1 then return nil, "several_lengths" end
  if not is_http1 and has_connection_header(read) then return nil, "connection_header" end
  local coding = read["transfer-encoding"]
  if coding and (#coding > 1 or coding[1]:lower() ~= "chunked") then return nil, "not_chunked" end
  local rare = { read = read, stripped = stripped }
  if read.connection then
    rare.connection = members_of(read.connection)
    rare.upgrade = is_upgrade(method, ngx.req.http_version(), read, rare.connection)
    rare.closes = includes(rare.connection, "upgrade")
    if rare.upgrade and has_body(read) then return nil, "upgrade_with_body" end
  end
  local loop = read["cdn-loop"]
  if loop and passes(members_of(loop)) >= PASSES_MAX then return nil, "loop" end
  return rare
end

--- Splits a target in absolute-form (RFC 9112 section 3.2.2). @return its authority, and its path and query; nil if it has another form.
local function split_target(target, count)
  local scheme, authority, rest = ffi.string(target, count):match("^(%a+)://([^/?#]+)(.*)$")
  if not scheme or not SCHEMES[scheme:lower()] then return nil end
  return authority, rest:byte() == 47 and rest or "/" .. rest
end

--- Reads a request.
-- @return its host, its method, the bytes of its target and their number, and what follows from rare headers if it has any; or nil and the
-- refusal.
function _M.read(request)
  local read, stripped, authority = head.read(request)
  if not read then return nil, stripped end
  local line, length = native.get(request, "request")
  local method = ngx.req.get_method()
  local count = length - #method - VERSION_CHARS - 2
  if count < 0 or not is_version(line + length - VERSION_CHARS) then return nil, "http_version" end
  if not METHODS[method] then return nil, "unknown_method" end
  if method == "TRACE" then return nil, "trace" end
  if method == "CONNECT" then return nil, "connect" end
  local target = line + #method + 1
  local own_authority, path
  if count > 0 and target[0] ~= 47 then
    own_authority, path = split_target(target, count)
    if path then target, count = ffi.cast("const char *", path), #path end
  end
  if count == 0 or target[0] ~= 47 then return nil, "no_path" end
  if C.strspn(target, TARGET) ~= count then return nil, "target_characters" end
  if authority == "" then return nil, "no_host" end
  local host = host_of(own_authority or authority)
  if not host then return nil, "invalid_host" end
  if read == head.NONE and not stripped and not path then return host, method, target, count end
  local rare, refusal = read_rare(method, read, stripped, authority, line[length - 3] == 49)
  if not rare then return nil, refusal end
  -- Keeps the bytes where they are.
  rare.path = path
  return host, method, target, count, rare
end

return _M
