-- Shares slots among parties, as `shared/core/fairness/fair-slots.ts` does: a rule limits each party, and waiting parties take turns.

local semaphore = require "ngx.semaphore"

local _M = {}
local mt = { __index = _M }

--- Idle parties that are kept, because most of them come back at once.
local IDLE_MAX = 1000

function _M.new(rules)
  return setmetatable({ rules = rules, parties = {}, count = 0, turns = {}, taken = 0, waiting = 0 }, mt)
end

local function is_idle(party)
  return party.taken == 0 and (party.queue == nil or #party.queue == 0)
end

local function party_of(self, name)
  local party = self.parties[name]
  if party then return party end
  if self.count >= IDLE_MAX then
    for each, known in pairs(self.parties) do
      if is_idle(known) then
        self.parties[each] = nil
        self.count = self.count - 1
      end
    end
  end
  party = { taken = 0 }
  self.parties[name] = party
  self.count = self.count + 1
  return party
end

local function may_take(self, party)
  local rules = self.rules
  if self.taken >= rules.slots_max then return false end
  return self.taken < rules.shared_from or party.taken < rules.per_party_max
end

--- Takes a slot if one is free for a party. @return the party to pass to `leave`, or nil.
function _M:take(name)
  local party = party_of(self, name)
  if not may_take(self, party) then return nil end
  self.taken = self.taken + 1
  party.taken = party.taken + 1
  return party
end

local function remove(list, item)
  for i = 1, #list do
    if list[i] == item then return table.remove(list, i) end
  end
end

local function next_party(self)
  for _, party in ipairs(self.turns) do
    if may_take(self, party) then return party end
  end
end

local function stop_waiting(self, waiter)
  local party = waiter.party
  waiter.waits = false
  remove(party.queue, waiter)
  if #party.queue == 0 then remove(self.turns, party) end
  self.waiting = self.waiting - 1
end

--- Gives free slots to waiting parties. Each party that gets one moves behind the others.
local function give(self)
  local party = next_party(self)
  while party do
    local waiter = party.queue[1]
    stop_waiting(self, waiter)
    if remove(self.turns, party) then self.turns[#self.turns + 1] = party end
    self.taken = self.taken + 1
    party.taken = party.taken + 1
    waiter.has_slot = true
    waiter.semaphore:post(1)
    party = next_party(self)
  end
end

--- Begins to wait for a slot. @return a waiter for `await` and `abandon`, or nil if too many wait.
function _M:queue(name)
  local party = party_of(self, name)
  local rules = self.rules
  local queue = party.queue or {}
  if self.waiting >= rules.queued_max or #queue >= rules.queued_per_party_max then return nil end
  local waiter = { party = party, semaphore = semaphore.new(0), waits = true, has_slot = false }
  party.queue = queue
  queue[#queue + 1] = waiter
  if #queue == 1 then self.turns[#self.turns + 1] = party end
  self.waiting = self.waiting + 1
  return waiter
end

--- Waits for a slot. @return the party to pass to `leave`, or nil if no slot became free in time.
function _M:await(waiter, wait_s)
  waiter.semaphore:wait(wait_s)
  return waiter.has_slot and waiter.party or nil
end

--- Ends a wait. A slot that the waiter was given meanwhile is returned.
function _M:abandon(waiter)
  if waiter.waits then
    stop_waiting(self, waiter)
  elseif waiter.has_slot then
    self:leave(waiter.party)
  end
end

--- Returns a slot.
function _M:leave(party)
  self.taken = self.taken - 1
  party.taken = party.taken - 1
  if self.waiting > 0 then give(self) end
end

return _M
