-- Shares slots among parties by the rule of `shared/core/fairness/fair-slots.ts`: each party has a limit, and the next slot goes to the
-- waiting party that holds the fewest. `test/edge/forwarding/origin-slot-cases.ts` holds both to the same cases.

local semaphore = require "ngx.semaphore"

local _M = {}
local mt = { __index = _M }

function _M.new(rules)
  return setmetatable({ rules = rules, parties = {}, turns = {}, taken = 0, waiting = 0 }, mt)
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

local function remove(list, item)
  for i = 1, #list do
    if list[i] == item then return table.remove(list, i) end
  end
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

--- Takes a slot for a party or, if none is free, a place in its queue. @return the value for `await` and `leave`, or nil if too many wait.
function _M:ask(name)
  local party = self.parties[name] or { name = name, taken = 0, queue = false }
  if may_take(self, party) then
    change(self, party, 1)
    return party
  end
  local rules, queue = self.rules, party.queue or {}
  if self.waiting >= rules.queued_max or #queue >= rules.queued_per_party_max then return nil end
  local waiter = { party = party, semaphore = semaphore.new(0), waits = true }
  if #queue == 0 then self.turns[#self.turns + 1] = party end
  queue[#queue + 1] = waiter
  party.queue = queue
  self.parties[name] = party
  self.waiting = self.waiting + 1
  return waiter
end

--- Waits for the slot. @return whether it became free in time.
function _M:await(slot, wait_s)
  if slot.waits then slot.semaphore:wait(wait_s) end
  return not slot.waits
end

--- Frees a slot, and gives free slots to the waiting parties with the fewest. Parties with equally few take turns. For a request that still
-- waits, only ends the wait.
function _M:leave(slot)
  if slot.waits then return stop_waiting(self, slot, 0) end
  change(self, slot.party or slot, -1)
  while self.waiting > 0 do
    local found
    for _, party in ipairs(self.turns) do
      if (not found or party.taken < found.taken) and may_take(self, party) then found = party end
    end
    if not found then return end
    local waiter = found.queue[1]
    stop_waiting(self, waiter, 1)
    waiter.semaphore:post(1)
  end
end

return _M
