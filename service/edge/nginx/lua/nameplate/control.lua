-- Asks the node process over its local socket. The caller waits without blocking other requests.

local policy = require "nameplate.policy"
local fields = require "nameplate.fields"
local native = require "nameplate.native"

local _M = {}

local meta = ngx.shared.meta

local concat = table.concat

--- Sends one request line and reads its response.
-- @return the text of the response, or nil if there is none; or nil, the reason for a failure, and whether nobody responded.
function _M.ask(verb, ...)
  local line = { verb, ... }
  for i = 2, #line do line[i] = ngx.escape_uri(line[i]) end
  local socket = ngx.socket.tcp()
  socket:settimeouts(policy.control.connect_ms, policy.control.send_ms, policy.control.read_ms)
  local ok, err = socket:connect(policy.control.socket)
  if not ok then return nil, err, true end
  ok, err = socket:send(concat(line, " ") .. "\n")
  if not ok then return nil, err, true end
  local head
  head, err = socket:receive("*l")
  if not head then return nil, err, true end
  local state, length = head:match("^(%w+) (%d+)$")
  local text = ""
  if length and length ~= "0" then
    text, err = socket:receive(tonumber(length))
    if not text then return nil, err, true end
  end
  socket:setkeepalive(60000, 64)
  if state == "found" then return text end
  if state == "none" then return nil end
  return nil, text
end

--- Returns the seconds since nginx last heard from the node process or, before the first contact, since nginx started.
function _M.silent_s()
  meta:add("seen", native.uptime())
  return native.uptime() - meta:get("seen")
end

--- Returns whether the node process has been silent for so long that it may have missed changes.
function _M.is_silent()
  return _M.silent_s() > policy.control.silent_s
end

--- Asks, and reads the fields of the response.
function _M.ask_fields(...)
  local text, err = _M.ask(...)
  if not text then return nil, err end
  return fields.read(text)
end

return _M
