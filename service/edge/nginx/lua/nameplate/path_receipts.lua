-- Answers the probes of public paths, as `shared/edge/routing/path-receipts.ts` does (`decisions/0042`). The worker verifies the token and signs
-- the receipt itself, so that no flood of other requests turns a probe away.

local bit = require "bit"
local base64 = require "ngx.base64"
local control = require "nameplate.control"
local policy = require "nameplate.policy"
local signature = require "nameplate.signature"

local _M = {}

local var = ngx.var
local rules = policy.probe
--- Bytes of a token before its code, and hexadecimal digits of the code.
local HEAD_BYTES, CODE_DIGITS = 16, 24

local keys = {}
for i, key in ipairs(rules.keys) do keys[i] = signature.key(ngx.decode_base64(key)) end

--- Compares two texts of one length in constant time.
local function is_same(one, other)
  local difference = 0
  for i = 1, #one do difference = bit.bor(difference, bit.bxor(one:byte(i), other:byte(i))) end
  return difference == 0
end

--- Returns the time in seconds. Tokens carry the time of the node process's clock.
local function now()
  return ngx.now() + control.clock_offset()
end

local function is_ours(token)
  local bytes = base64.decode_base64url(token)
  -- The last character has bits that decoding ignores.
  if not bytes or base64.encode_base64url(bytes) ~= token then return false end
  local a, b, c, d = bytes:byte(1, 4)
  if math.abs(now() - (((a * 256 + b) * 256 + c) * 256 + d)) > rules.token_s then return false end
  local head, code = bytes:sub(1, HEAD_BYTES), signature.hex(bytes:sub(HEAD_BYTES + 1))
  for _, key in ipairs(keys) do
    if is_same(signature.of(key, rules.labels.token .. head):sub(1, CODE_DIGITS), code) then return true end
  end
  return false
end

--- Returns the first of our fresh tokens in some texts, or nil.
local function find_token(texts)
  for _, text in ipairs(texts) do
    for match in ngx.re.gmatch(text, rules.pattern, "jo") do
      if is_ours(match[0]) then return match[0] end
    end
  end
end

local function quoted(text)
  return '"' .. text:gsub('[\\"]', "\\%0") .. '"'
end

--- Returns the body of a receipt. @param fields names and values in JSON, alternating.
local function sign(fields)
  local pairs_of = {}
  for i = 1, #fields, 2 do pairs_of[#pairs_of + 1] = quoted(fields[i]) .. ":" .. fields[i + 1] end
  local content = base64.encode_base64url("{" .. table.concat(pairs_of, ",") .. "}")
  local code = signature.of(keys[1], rules.labels.receipt .. content)
  return content .. "." .. base64.encode_base64url((code:gsub("%x%x", function(byte) return string.char(tonumber(byte, 16)) end)))
end

--- Returns the headers and the body of the response to a probe, or nil for any other request. @param probes the values of the probe's header.
function _M.find(hostname, target, scheme, probes, request_id)
  local token = find_token({ target, unpack(probes) })
  if not token then return nil end
  local has_header = false
  for _, value in ipairs(probes) do has_header = has_header or value == token end
  local has_cookie = (var.http_cookie or ""):find(rules.cookie .. "=" .. token, 1, true) ~= nil
  local headers = {}
  for name, value in pairs(rules.headers) do headers[name] = value:gsub(rules.id, request_id) end
  return headers, sign {
    "token", quoted(token), "id", quoted(request_id), "host", quoted(hostname), "path", quoted(target),
    "scheme", quoted(scheme), "cookie", tostring(has_cookie), "header", tostring(has_header),
  }
end

return _M
