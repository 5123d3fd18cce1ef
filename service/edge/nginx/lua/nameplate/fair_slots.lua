-- Shares slots among parties by the rule of `shared/core/fairness/fair-slots.ts`: each party has a limit, and the next slot goes to the
-- waiting party that holds the fewest. `test/edge/forwarding/origin-slot-cases.ts` holds both to the same cases.

local semaphore = require "ngx.semaphore"

local _M = {}
local mt = { __index = _M }

function _M.new(rules)
  return setmetatable({ rules = rules, parties = {}, turns = {}, taken = 0, waiting = 0 }, mt)
end

local function party_of(self, name)
  return self.parties[name] or { name = name, taken = 0, queue = false }
end

local function may_take(self, party)
  local rules = self.rules
  if self.taken >= rules.slots_max then return false end
  return self.taken < rules.shared_from or party.taken < rules.per_party_max
end

local function change(self, party, by)
  self.taken = self.taken + by
  party.taken = party.taken + by
  local is_idle = party.taken == 0 and not party.queue
  self.parties[party.name] = not is_idle and party or nil
end

--- Takes a slot if one is free for a party. @return the party to pass to `leave`, or nil.
function _M:take(name)
  local party = party_of(self, name)
  if not may_take(self, party) then return nil end
  change(self, party, 1)
  return party
end

local function remove(list, item)
  for i = 1, #list do
    if list[i] == item then return table.remove(list, i) end
  end
end

--- Returns the party with the fewest slots that waits and may take a slot. Parties with equally few slots take turns.
local function next_party(self)
  local found
  for _, party in ipairs(self.turns) do
    if (not found or party.taken < found.taken) and may_take(self, party) then found = party end
  end
  return found
end

--- Ends a wait. @param slots 1 if the waiter gets a slot, else 0.
local function stop_waiting(self, waiter, slots)
  local party = waiter.party
  waiter.waits = false
  self.waiting = self.waiting - 1
  remove(party.queue, waiter)
  if #party.queue == 0 then party.queue = false end
  -- A party that gets a slot moves behind the others.
  if slots == 1 or not party.queue then remove(self.turns, party) end
  if slots == 1 and party.queue then self.turns[#self.turns + 1] = party end
  change(self, party, slots)
end

--- Begins to wait for a slot. @return a waiter for `await` and `abandon`, or nil if too many wait.
function _M:queue(name)
  local party = party_of(self, name)
  local rules = self.rules
  local queue = party.queue or {}
  if self.waiting >= rules.queued_max or #queue >= rules.queued_per_party_max then return nil end
  local waiter = { party = party, semaphore = semaphore.new(0), waits = true, has_slot = false }
  if #queue == 0 then self.turns[#self.turns + 1] = party end
  queue[#queue + 1] = waiter
  party.queue = queue
  self.parties[name] = party
  self.waiting = self.waiting + 1
  return waiter
end

--- Waits for a slot. @return the party to pass to `leave`, or nil if no slot became free in time.
function _M:await(waiter, wait_s)
  waiter.semaphore:wait(wait_s)
  return waiter.has_slot and waiter.party or nil
end

--- Ends a wait. If the waiter has got a slot meanwhile, gives the slot back.
function _M:abandon(waiter)
  if waiter.waits then
    stop_waiting(self, waiter, 0)
  elseif waiter.has_slot then
    self:leave(waiter.party)
  end
end

--- Returns a slot, and gives free slots to waiting parties.
function _M:leave(party)
  change(self, party, -1)
  local next = self.waiting > 0 and next_party(self)
  while next do
    local waiter = next.queue[1]
    stop_waiting(self, waiter, 1)
    waiter.has_slot = true
    waiter.semaphore:post(1)
    next = next_party(self)
  end
end

return _M
