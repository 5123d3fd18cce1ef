-- Exchanges messages with the node process. nginx sends requests to the local socket of the node process, and the caller waits without
-- blocking other requests. The node process sends its clock each second.

local policy = require "nameplate.policy"
local native = require "nameplate.native"

local _M = {}

local meta = ngx.shared.meta

local concat, find, sub, tonumber = table.concat, string.find, string.sub, tonumber

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

--- Returns the fields of a response by name. Each is a line with its name and length, followed by that many bytes.
function _M.fields(text)
  local fields, at = {}, 1
  while at <= #text do
    local _, stop, name, length = find(text, "^([%w_]+) (%d+)\n", at)
    if not stop then error("a message of the node process is malformed") end
    fields[name] = sub(text, stop + 1, stop + tonumber(length))
    at = stop + tonumber(length) + 2
  end
  return fields
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

--- Stores the last message of the node process: its clock in milliseconds, and whether load balancers should send visitors here.
function _M.hear(now_ms, is_ready)
  meta:set("clock_offset_s", now_ms / 1000 - ngx.now())
  meta:set("ready", is_ready)
  meta:set("seen", native.uptime())
end

--- Returns the difference of the node process's clock to nginx's, in seconds. The node process follows the database, so that nginx signs with
-- the right time even if the machine's clock is wrong.
function _M.clock_offset()
  return meta:get("clock_offset_s") or 0
end

return _M
