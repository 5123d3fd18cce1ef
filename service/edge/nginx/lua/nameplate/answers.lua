-- Sends the edge's own responses. Their texts and headers are rendered by `shared/edge/edge-responses.ts`.

local policy = require "nameplate.policy"

local _M = {}

local ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"

--- Returns an id as `shared/core/ids.ts` makes it: 48 bits of milliseconds and 80 random bits.
function _M.request_id()
  local made = {}
  local time = math.floor(ngx.now() * 1000)
  for i = 10, 1, -1 do
    local digit = time % 32
    made[i] = ALPHABET:sub(digit + 1, digit + 1)
    time = (time - digit) / 32
  end
  for i = 11, 26 do
    local digit = math.random(0, 31)
    made[i] = ALPHABET:sub(digit + 1, digit + 1)
  end
  return "req_" .. table.concat(made)
end

--- Returns the head of a 502 as text, for a request whose head nginx leaves out.
local function head_of(headers, request_id, body)
  local lines = { "HTTP/1.1 502 Bad Gateway", "X-Request-Id: " .. request_id, "Content-Length: " .. #body }
  for name, value in pairs(headers) do lines[#lines + 1] = name .. ": " .. value end
  return table.concat(lines, "\r\n") .. "\r\n\r\n"
end

--- Sends a response of ours.
function _M.send(status, headers, body, request_id, is_headless)
  ngx.status = status
  for name, value in pairs(headers) do ngx.header[name] = value end
  ngx.header["X-Request-Id"] = request_id
  ngx.header["Content-Length"] = #body
  ngx.header["Server"] = nil
  if is_headless then ngx.print(head_of(headers, request_id, body)) end
  if ngx.req.get_method() ~= "HEAD" then ngx.print(body) end
  return ngx.exit(status)
end

--- Sends a page. @param text replaces the page's own text. @param location the target of a permanent redirect, which repeats the method and
-- the body.
function _M.page(status, text, location, request_id, is_headless)
  local template = policy.pages[status] or policy.pages[503]
  local body = template.before .. (text or template.text) .. template.after .. request_id .. template.rest
  if status == 503 then ngx.header["Retry-After"] = "60" end
  if location then ngx.header["Location"] = location end
  return _M.send(status, policy.page_headers, body, request_id, is_headless)
end

return _M
