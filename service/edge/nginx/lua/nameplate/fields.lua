-- Reads the messages of the node process: lines of a name and a length, each followed by that many bytes.

local _M = {}

local find, sub, tonumber = string.find, string.sub, tonumber

--- Returns the fields of a message by name.
function _M.read(text)
  local fields, at = {}, 1
  while at <= #text do
    local _, stop, name, length = find(text, "^([%w_]+) (%d+)\n", at)
    if not stop then error("a message of the node process is malformed") end
    fields[name] = sub(text, stop + 1, stop + tonumber(length))
    at = stop + tonumber(length) + 2
  end
  return fields
end

return _M
