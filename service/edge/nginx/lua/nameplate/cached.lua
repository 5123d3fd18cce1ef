-- A cache in shared memory in front of the control half, which decides what a name gets. The control half removes the names that changed.
-- Each value carries the generation in which it was read. When the control half may have missed changes, it begins a new generation: a
-- value of an earlier one is read again, and still served if that fails.

local control = require "nameplate.control"
local fields = require "nameplate.fields"
local policy = require "nameplate.policy"
local semaphore = require "ngx.semaphore"

local _M = {}
local mt = { __index = _M }

local meta = ngx.shared.meta
local generation = 0
--- Number of decoded values that a worker keeps before it starts over.
local DECODED_MAX = 20000
--- A flag that no generation has.
local STALE = 0

function _M.new(verb, dict)
  return setmetatable({ verb = verb, dict = dict, decoded = {}, count = 0, running = {} }, mt)
end

--- Called by a timer of each worker, so that no request has to look.
function _M.follow_generation()
  generation = meta:get("generation") or 0
end

function _M:decode(text)
  local value = self.decoded[text]
  if value then return value end
  if self.count >= DECODED_MAX then self.decoded, self.count = {}, 0 end
  value = fields.read(text)
  self.decoded[text] = value
  self.count = self.count + 1
  return value
end

--- Returns the value of a name without waiting, or nil. The second result is true if it has to be read again.
function _M:peek(name)
  local text, read_in = self.dict:get(name)
  if not text then return nil, true end
  return self.decoded[text] or self:decode(text), (read_in or STALE) ~= generation
end

--- Returns the value of a name, or nil if there is none; or nil and the reason for a failure.
function _M:get(name)
  local value, is_stale = self:peek(name)
  if not is_stale then return value end
  return self:read(name, value)
end

local function ask(self, name, known)
  -- If the name changes while the control half responds, the response may be old.
  local changes = meta:get("changes") or 0
  local now = meta:get("generation") or 0
  local text, err = control.ask(self.verb, name, known and "known" or "")
  if not text then
    if err then
      if known then return known end
      return nil, err
    end
    self.dict:delete(name)
    return nil
  end
  local read = self:decode(text)
  -- The routes of test domains change without a notice.
  if read.plain == "1" or (meta:get("changes") or 0) ~= changes then return read end
  self.dict:set(name, text, 0, now)
  if (meta:get("changes") or 0) ~= changes then self.dict:delete(name) end
  return read
end

--- Asks the control half for a value. Requests of a worker for the same name wait for one response, unless
-- something has changed since it was asked for.
-- @param known the value to return if that fails.
function _M:read(name, known)
  local changes = meta:get("changes") or 0
  local running = self.running[name]
  if running and running.changes == changes then
    running.semaphore:wait(policy.control.read_ms / 1000)
    local value, is_stale = self:peek(name)
    if value and not is_stale then return value end
    return ask(self, name, known)
  end
  running = { semaphore = semaphore.new(0), changes = changes }
  self.running[name] = running
  local value, err = ask(self, name, known)
  if self.running[name] == running then self.running[name] = nil end
  local waiting = -running.semaphore:count()
  if waiting > 0 then running.semaphore:post(waiting) end
  return value, err
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
