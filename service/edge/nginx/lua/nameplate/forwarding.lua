-- Builds what an origin gets, as `shared/edge/forwarding/request-headers.ts` does. nginx passes the visitor's headers on itself and removes
-- the fixed names. This module removes the others, and adds ours as one block that begins with the value of Host.

local policy = require "nameplate.policy"
local signature = require "nameplate.signature"

local _M = {}

local concat = table.concat
local KEPT = {}
for _, name in ipairs(policy.never_cleared) do KEPT[name] = true end

local function remove(name)
  if not KEPT[name] then ngx.req.clear_header(name) end
end

--- Prepares the constant parts of a route at its first use.
local function prepare(route)
  route.key = signature.key(route.secret)
  route.removed = {}
  for name in route.origin_header_names:gmatch("%S+") do route.removed[#route.removed + 1] = name end
  return route
end

--- Returns the header block for the origin. @param address the visitor's address.
function _M.headers(request, route, scheme, address)
  if not route.key then prepare(route) end
  if request.stripped then
    for _, name in ipairs(request.stripped) do remove(name) end
  end
  if request.connection then
    for _, name in ipairs(request.connection) do remove(name) end
  end
  for _, name in ipairs(route.removed) do ngx.req.clear_header(name) end
  local loop = request.read["cdn-loop"]
  local hostname, timestamp = request.host.hostname, ngx.time() + policy.clock_offset_s
  local signed = timestamp .. "." .. request.method .. "." .. hostname .. "." .. request.target .. "." .. route.domain_id
  return hostname
    .. "\r\nCDN-Loop: " .. (loop and concat(loop, ", ") .. ", " .. policy.loop_token or policy.loop_token)
    .. route.headers
    .. "\r\nX-Forwarded-Proto: " .. scheme
    .. "\r\nX-Forwarded-For: " .. address
    .. "\r\n" .. policy.timestamp_header .. ": " .. timestamp
    .. "\r\n" .. policy.signature_header .. ": v1=" .. signature.sign(route.key, signed)
    .. (request.upgrade and "\r\nConnection: upgrade\r\nUpgrade: websocket" or "")
end

return _M
