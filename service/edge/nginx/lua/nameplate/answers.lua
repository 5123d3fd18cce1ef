-- The edge's own responses. Their texts and headers are rendered by `shared/edge/edge-responses.ts`.

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
local function send(status, headers, body, request_id)
  ngx.status = status
  for name, value in pairs(headers) do ngx.header[name] = value end
  ngx.header["X-Request-Id"] = request_id
  ngx.header["Content-Length"] = #body
  ngx.header["Server"] = nil
  if ngx.ctx.is_headless then ngx.print(head_of(headers, request_id, body)) end
  if ngx.req.get_method() ~= "HEAD" then ngx.print(body) end
  return ngx.exit(status)
end
_M.send = send

--- Responds with an error page. @param reason replaces the page's own text.
function _M.refuse(status, reason, request_id)
  local template = policy.pages[status] or policy.pages[503]
  request_id = request_id or _M.request_id()
  local body = template.before .. (reason or template.text) .. template.after .. request_id .. template.rest
  if status == 503 then ngx.header["Retry-After"] = "60" end
  return send(status, policy.page_headers, body, request_id)
end

--- Responds with a permanent redirect that repeats the method and the body.
function _M.redirect(location)
  local template = policy.pages[308]
  local request_id = _M.request_id()
  ngx.header["Location"] = location
  return send(308, policy.page_headers, template.before .. template.text .. template.after .. request_id .. template.rest, request_id)
end

--- Passes on a response that the node process made.
function _M.pass_on(status, lines, body)
  local headers, request_id = {}, nil
  for name, value in lines:gmatch("([^:\n]+): ([^\n]*)\n") do
    if name == "X-Request-Id" then request_id = value else headers[name] = value end
  end
  headers["Content-Length"] = nil
  return send(status, headers, body, request_id)
end

return _M
