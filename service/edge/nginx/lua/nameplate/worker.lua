-- The timers of each worker, and the requests that the node process sends to it.

local ffi = require "ffi"
local cached = require "nameplate.cached"
local certificates = require "nameplate.certificates"
local control = require "nameplate.control"
local counters = require "nameplate.counters"
local edge = require "nameplate.edge"
local native = require "nameplate.native"
local policy = require "nameplate.policy"
local states = require "nameplate.states"
local traffic = require "nameplate.traffic"
local watch = require "nameplate.watch"

local _M = {}

ffi.cdef [[ int kill(int pid, int sig); int getppid(void); ]]

local C = ffi.C
local meta = ngx.shared.meta
local SIGQUIT = 3
--- How often a worker looks for changes that another worker was told of.
local FOLLOW_S = 0.1

--- Does some work at intervals. In a worker that exits, such as after a reload, nginx runs each timer only once more. The work then goes on
--- until the worker's last request has ended.
local function every(seconds, work)
  assert(ngx.timer.every(seconds, function(premature)
    if not premature then return work() end
    local due = 0
    while next(states.all) do
      if ngx.now() >= due then
        work()
        due = ngx.now() + seconds
      end
      -- The worker cannot end before a sleep does.
      ngx.sleep(math.min(seconds, FOLLOW_S))
    end
  end))
end

--- The process id of the master.
local master

local function has_master()
  return C.getppid() == master
end

--- Ends nginx if no node process has come back for a long time, so that deleted domains are not served forever. A worker that has lost its
-- master ends itself.
local function end_if_orphaned()
  -- Before the first message of a node process, `ready` is absent. If the process was killed while it started nginx, no other process
  -- knows of this nginx, so none takes it over.
  local limit_s = meta:get("ready") == nil and policy.start_s or policy.orphan_s
  if control.silent_s() < limit_s then return end
  ngx.log(ngx.CRIT, "no node process for ", limit_s, " s: nginx ends")
  C.kill(has_master() and master or ngx.worker.pid(), SIGQUIT)
end

local function end_unserved()
  -- Once a worker's master has ended, the worker gets no changes from the node process, so each route has to be read again.
  if not has_master() then cached.expire_all() end
  watch.end_unserved(edge.routes)
end

--- Reads all changes that nginx was told of, and records when this worker last knew them.
local function follow()
  cached.follow()
  meta:set("followed" .. ngx.worker.id(), native.uptime())
end

--- Starts the timers of a worker (`init_worker_by_lua`).
function _M.start()
  master = C.getppid()
  math.randomseed(ngx.now() * 1000 + ngx.worker.pid() * 1000003)
  meta:set("worker" .. ngx.worker.id(), ngx.worker.pid())
  follow()
  every(FOLLOW_S, follow)
  every(1, counters.flush)
  every(1, traffic.flush)
  every(policy.limits.route_check_ms / 1000, end_unserved)
  every(math.min(1, policy.limits.contested_window_ms / 4000), watch.demand_progress)
  every(1, end_if_orphaned)
end

--- Keeps what a worker has counted when it exits, such as after a reload: its timers no longer run (`exit_worker_by_lua`).
function _M.stop()
  counters.flush()
  traffic.flush()
end

--- Handles changes from the node process: one hostname a line, with `-` if it is gone, or an app with `@`, or `*` for everything.
function _M.changed()
  ngx.req.read_body()
  cached.announce()
  for line in (ngx.req.get_body_data() or ""):gmatch("[^\n]+") do
    local mark = line:sub(1, 1)
    if mark == "*" then
      cached.expire_all()
    elseif mark == "@" then
      cached.expire_app(line:sub(2))
    elseif mark == "-" then
      edge.routes:delete(line:sub(2))
      certificates.cache:delete(line:sub(2))
    else
      edge.routes:expire(line)
      certificates.cache:expire(line)
    end
  end
  cached.announce()
  cached.follow()
  ngx.print("done\n")
end

--- From now on, each response over HTTP/1.1 ends its connection, because nginx ends idle connections without a word when it quits.
function _M.closing()
  meta:set("closing", true)
  ngx.print("done\n")
end

--- Sends the counters to the node process. Its request has its clock in milliseconds, and 1 if its node is ready, else 0. Also sends the
-- process id of each worker, and how many milliseconds ago the worker last knew all changes.
function _M.counted()
  ngx.req.read_body()
  local now_ms, ready = (ngx.req.get_body_data() or ""):match("^(%d+) ([01])$")
  if now_ms then
    -- A node process that was frozen has missed changes. The process responds to a request for a route once it knows these changes.
    if control.is_silent() then cached.expire_all() end
    control.hear(tonumber(now_ms), ready == "1")
  end
  counters.flush()
  traffic.flush()
  for id = 0, ngx.worker.count() - 1 do
    local pid = meta:get("worker" .. id)
    local behind_s = native.uptime() - (meta:get("followed" .. id) or 0)
    if pid then ngx.say("worker\t", pid, "\t", math.floor(1000 * behind_s)) end
  end
  ngx.say(counters.collect())
  ngx.print(traffic.collect(policy.traffic.collected_max))
end

--- Says which start of nginx this is, so that a node process can tell whether it may take over.
function _M.alive()
  ngx.print(policy.instance)
end

return _M
