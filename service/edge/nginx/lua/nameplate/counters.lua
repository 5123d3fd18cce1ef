-- Counts requests and failures. Each worker counts in its own memory and adds to the shared counters every second, where the node process
-- collects them. A worker that is killed loses at most that second.

local _M = {}

local shared = ngx.shared.counters
local FAILURES_KEPT_MAX = 1000
local counts = {}

--- nginx's statuses for a visitor that left before the response, and for a request that the edge drops without one.
_M.LEFT, _M.DROPPED = 499, 444

--- The names of the counters, by status.
local STATUSES = setmetatable({ [_M.LEFT] = "status:gone", [_M.DROPPED] = "status:gone" }, {
  __index = function(names, status)
    names[status] = "status:" .. status
    return names[status]
  end,
})

function _M.add(name, by)
  counts[name] = (counts[name] or 0) + (by or 1)
end

--- Counts a request by the status of its response.
function _M.request(status)
  _M.add(STATUSES[status])
end

--- Adds the counts of this worker to the shared ones.
function _M.flush()
  local moved = counts
  counts = {}
  for name, count in pairs(moved) do shared:incr(name, count, 0) end
end

--- Keeps a failure for the log of the node process.
function _M.failure(of, reason, request_id, domain_id)
  _M.add("failure:" .. of)
  if (shared:llen("failures") or 0) < FAILURES_KEPT_MAX then
    shared:rpush("failures", of .. "\t" .. request_id .. "\t" .. (domain_id or "") .. "\t" .. reason)
  end
end

--- Returns the counts since the last call, one a line, then the failures.
function _M.collect()
  local lines = {}
  for _, name in ipairs(shared:get_keys(0)) do
    if name ~= "failures" then
      local count = shared:get(name)
      if count and count ~= 0 then
        shared:incr(name, -count)
        lines[#lines + 1] = "count\t" .. name .. "\t" .. count
      end
    end
  end
  for _ = 1, FAILURES_KEPT_MAX do
    local failure = shared:lpop("failures")
    if not failure then break end
    lines[#lines + 1] = "failure\t" .. failure
  end
  return table.concat(lines, "\n")
end

return _M
