-- Chooses the certificate of a handshake. The node process decrypts a key when its name is first requested. The key stays in shared memory
-- while the cache has room. Each worker keeps the parsed form of those it used last.

local ssl = require "ngx.ssl"
local lrucache = require "resty.lrucache"
local policy = require "nameplate.policy"
local cached = require "nameplate.cached"
local counters = require "nameplate.counters"

local _M = {}

local certificates = cached.new("certificate", ngx.shared.certificates)
local parsed = assert(lrucache.new(policy.certificates.parsed_max))

local function parse(name, certificate)
  local known = parsed:get(name)
  if known and known.of == certificate then return known end
  local chain = assert(ssl.parse_pem_cert(certificate.chain))
  local key = assert(ssl.parse_pem_priv_key(certificate.private_key))
  known = { of = certificate, chain = chain, key = key }
  parsed:set(name, known)
  return known
end

--- Handles a ClientHello (`ssl_certificate_by_lua`). Without a certificate, OpenSSL ends the handshake with handshake_failure. If nginx
-- cannot find out whether there is a certificate, because the node process is away, the handshake ends with internal_error.
function _M.choose()
  ssl.clear_certs()
  local name = ssl.server_name()
  if not name then return end
  name = name:lower():gsub("%.$", "")
  local certificate, err, is_away = certificates:get(name)
  if not certificate then
    if err then counters.add("handshake_failure") end
    if is_away then return ngx.exit(ngx.ERROR) end
    return
  end
  local ready = parse(name, certificate)
  assert(ssl.set_cert(ready.chain))
  assert(ssl.set_priv_key(ready.key))
end

_M.cache = certificates

return _M
