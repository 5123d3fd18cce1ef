-- The clock of the node process, which follows the database. So nginx signs with the right time even if the machine's clock is wrong.

local _M = {}

local meta = ngx.shared.meta

--- Returns the difference to nginx's own clock, in seconds.
function _M.offset()
  return meta:get("clock_offset_s") or 0
end

--- Takes the milliseconds of the node process's clock.
function _M.follow(now_ms)
  meta:set("clock_offset_s", now_ms / 1000 - ngx.now())
end

return _M
