-- A cache in shared memory of the node process's responses by name. The node process announces the names that changed.
-- Each value carries the number of changes at which it was read. After a change of its app, or of everything, a value is read again, and
-- still served if that fails.

local control = require "nameplate.control"
local policy = require "nameplate.policy"
local semaphore = require "ngx.semaphore"

local _M = {}
local mt = { __index = _M }

local meta, apps = ngx.shared.meta, ngx.shared.apps
--- What this worker has seen of the changes so far: their number, and the number before which every value is stale.
local seen_changes, stale_before = 0, 0
--- The time of the node process, which `follow` reads.
local now_ms = 0
--- Number of values that a worker keeps before it starts over.
local KEPT_MAX = 20000
--- How long a request waits for a response that another one asked for, in seconds.
local WAIT_S = policy.control.read_ms / 1000
--- The number of changes of a value that has to be read again.
local STALE = 0
--- A killed node process may be back within seconds. Until RETURN_S seconds after its last message, each worker asks again every RETRY_S
-- seconds, for at most RETRIED_MAX values at a time that it does not have.
local RETURN_S, RETRY_S, RETRIED_MAX = policy.control.return_s, 0.25, 1000
local retried = 0

--- `fresh` has the values by name that need not be looked up in shared memory before the next change.
function _M.new(verb, dict)
  return setmetatable({ verb = verb, dict = dict, decoded = {}, count = 0, fresh = {}, fresh_count = 0, fresh_at = 0, running = {} }, mt)
end

local function changes()
  return meta:get("changes") or 0
end

--- Reads the numbers of the latest changes. A timer of each worker calls it, so that requests do not have to.
function _M.follow()
  -- The number is read first, because it is the last that a change increases.
  seen_changes = changes()
  stale_before = meta:get("stale_before") or 0
  now_ms = 1000 * (ngx.now() + control.clock_offset())
end

--- Announces a change to all workers. Called before the change, for workers that ask the node process meanwhile, and after it.
function _M.announce()
  meta:incr("changes", 1, 1)
end

--- Makes every value be read again, in this worker from now on.
function _M.expire_all()
  _M.announce()
  meta:set("stale_before", changes())
  _M.announce()
  _M.follow()
end

--- Makes the routes of an app be read again.
function _M.expire_app(id)
  if apps:safe_set(id, changes()) then return end
  -- The dictionary has no room for another app.
  apps:flush_all()
  _M.expire_all()
end

function _M:decode(text)
  local value = self.decoded[text]
  if value then return value end
  if self.count >= KEPT_MAX then self.decoded, self.count = {}, 0 end
  value = control.fields(text)
  value.until_ms = tonumber(value["until"]) or math.huge
  self.decoded[text] = value
  self.count = self.count + 1
  return value
end

local function start_over(self)
  self.fresh, self.fresh_count, self.fresh_at = {}, 0, seen_changes
end

local function look(self, name)
  local text, read_in = self.dict:get(name)
  if not text then return nil, true end
  local value = self:decode(text)
  local read_at = read_in or STALE
  if read_at == STALE or read_at < stale_before or value.until_ms <= now_ms then return value, true end
  if value.app_id and read_at < (apps:get(value.app_id) or 0) then return value, true end
  if self.fresh_count >= KEPT_MAX then start_over(self) end
  self.fresh[name] = value
  self.fresh_count = self.fresh_count + 1
  return value, false
end

--- Returns the value of a name without waiting, or nil. The second result is true if it has to be read again.
function _M:peek(name)
  if self.fresh_at ~= seen_changes then start_over(self) end
  local value = self.fresh[name]
  if value and value.until_ms > now_ms then return value, false end
  return look(self, name)
end

--- Returns the value of a name, or nil if there is none; or nil, the reason for a failure, and whether the node process is away.
function _M:get(name)
  local value, is_stale = self:peek(name)
  if not is_stale then return value end
  return self:read(name, value)
end

local function ask(self, name, known)
  -- If the name changes while the node process responds, the response may be old.
  local before = changes()
  local text, err, is_away = control.ask(self.verb, name, known and "known" or "")
  self.fresh[name] = nil
  if not text then
    if err then
      if known then return known end
      return nil, err, is_away
    end
    self.dict:delete(name)
    return nil
  end
  local read = self:decode(text)
  -- The routes of test domains change without a notice.
  if read.plain == "1" or changes() ~= before then return read end
  self.dict:set(name, text, 0, before)
  if changes() ~= before then
    self.dict:delete(name)
    _M.announce()
  end
  return read
end

local function stop_running(self, name, running)
  if self.running[name] == running then self.running[name] = nil end
end

--- Asks the node process for all requests that wait. A timer runs it, because nginx ends what a request does when its visitor leaves.
local function ask_for_all(_, self, name, known, running)
  local value, err, is_away = ask(self, name, known)
  retried = retried + 1
  while is_away and retried <= RETRIED_MAX and control.silent_s() < RETURN_S do
    ngx.sleep(RETRY_S)
    value, err, is_away = ask(self, name, known)
  end
  retried = retried - 1
  running.is_done, running.value, running.err, running.is_away = true, value, err, is_away
  stop_running(self, name, running)
  local waiting = -running.semaphore:count()
  if waiting > 0 then running.semaphore:post(waiting) end
end

--- Asks the node process for a value. Requests of a worker for the same name wait for one response, unless
-- something has changed since it was asked for.
-- @param known the value to return if the node process does not respond. A request with a known value does not wait for a silent node process.
function _M:read(name, known)
  local before = changes()
  local running = self.running[name]
  if not running or running.changes ~= before then
    running = { semaphore = semaphore.new(0), changes = before }
    self.running[name] = running
    -- If nginx has no timer left, the request itself asks the node process.
    if not ngx.timer.at(0, ask_for_all, self, name, known, running) then
      stop_running(self, name, running)
      return ask(self, name, known)
    end
  end
  local wait_s = known and control.is_silent() and 0 or WAIT_S
  running.semaphore:wait(wait_s)
  if wait_s > 0 then stop_running(self, name, running) end
  if running.is_done then return running.value, running.err, running.is_away end
  if known then return known end
  return nil, "timeout", true
end

--- Reads a value again at the next use. Until then it is kept in case that fails.
function _M:expire(name)
  local text = self.dict:get(name)
  if text then self.dict:set(name, text, 0, STALE) end
end

function _M:delete(name)
  self.dict:delete(name)
end

return _M
