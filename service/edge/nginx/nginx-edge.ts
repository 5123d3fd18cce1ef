import { randomUUID } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TrustedHops } from '../../../shared/adapters/client-addresses.ts';
import { monotonicClock } from '../../../shared/adapters/system-clock.ts';
import { EDGE_LIMITS, type EdgeLimits } from '../../../shared/edge/edge-limits.ts';
import type { PathReceipts } from '../../../shared/edge/routing/path-receipts.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { AccessLogSettings } from '../../settings/access-log-settings.ts';
import { askNginx } from './ask-nginx.ts';
import { type ControlOptions, createControl } from './control-handlers.ts';
import { createControlServer } from './control-server.ts';
import { listenAt } from './listen-at.ts';
import { watchAccessLog } from './nginx-access-log.ts';
import type { NginxListener } from './nginx-configuration.ts';
import { type Counted, readCounted } from './nginx-counters.ts';
import { hashOf, instanceFiles, TICKETS } from './nginx-files.ts';
import { openFolder } from './nginx-folder.ts';
import { followLog } from './nginx-log.ts';
import {
  endInstance,
  findRunning,
  hasSuccessor,
  type Instance,
  instanceFolder,
  isOwnedBy,
  isRunning,
  signal,
  startInstance,
  takeOver,
} from './nginx-process.ts';
import type { NginxProgram } from './nginx-program.ts';

export interface NginxEdgeOptions extends Omit<ControlOptions, 'limits'> {
  program: NginxProgram;
  /** The folder of its files and sockets. A later control half with the same folder takes over the running nginx. */
  folder: string;
  listeners: readonly NginxListener[];
  workers: number;
  limits?: Partial<EdgeLimits>;
  hops?: TrustedHops;
  /** The public HTTPS port, which appears in redirects. */
  httpsPort: number;
  localhostSuffix?: boolean;
  wallClock: Clock;
  /** The keys and the clock of probes. Null if nginx answers none. */
  pathReceipts: PathReceipts | null;
  connectTimeoutMs: number;
  /** Certificate authorities in PEM to trust at origins in addition to the system's. */
  roots?: readonly string[];
  /** 80 random bytes, the same on every node. */
  ticketKeys: Buffer;
  http3?: boolean;
  /** Returns whether load balancers should send visitors here. If absent, they should. */
  isReady?: (() => boolean) | undefined;
  /** How long nginx serves without a control half before it ends. By default 30 minutes. */
  orphanMs?: number | undefined;
  /** False only for the bench that measures what counting costs. */
  countsTraffic?: boolean;
  accessLog?: AccessLogSettings | null;
  /** Called every second with nginx's counts since the last call. */
  onCounted: (counted: Counted) => void;
  /** Called with each line of nginx's error log. */
  onLine: (line: string) => void;
  /** Called once when nginx has ended, before the first attempt to start it again. */
  onLost: () => void;
  /** Called when nginx runs again after `onLost`. */
  onRestarted?: () => void;
}

/** The control half of an edge whose requests nginx handles. */
export interface NginxEdge {
  /** Tells nginx that a hostname's route or certificate may have changed. @param hostname null if any may have. */
  changed(hostname: string | null): void;
  /** Tells nginx that a hostname's route may have changed. */
  routeChanged(hostname: string): void;
  /** Resolves when nginx has been told of all changes so far. */
  settled(): Promise<void>;
  /** Collects nginx's counters now. */
  collect(): Promise<void>;
  setTicketKeys(keys: Buffer): Promise<void>;
  /** Returns how many milliseconds ago every worker of nginx last knew all changes. */
  ageMs(): number;
  /** Returns the process ids of nginx: its master and its workers. */
  processIds(): number[];
  /**
   * Ends the control half. Also ends nginx, unless a successor has taken nginx over.
   * @param options.graceMs milliseconds that running requests have to finish. @param options.leavesNginx true to leave nginx to a successor.
   */
  close(options?: { graceMs?: number; leavesNginx?: boolean }): Promise<void>;
}

const EVERY_MS = 1_000;

/** Starts nginx as the engine of an edge, or takes over the one that an earlier control half started. */
export async function startNginxEdge(options: NginxEdgeOptions): Promise<NginxEdge> {
  const { folder, program } = options;
  openFolder(folder);
  const limits = { ...EDGE_LIMITS, ...options.limits };
  const control = createControl({ ...options, limits });
  const controlSocket = path.join(folder, 'control.sock');
  const accessLog = await watchAccessLog(options.accessLog ?? null);
  const ended = new AbortController();
  const server = createControlServer(control.handlers, ended.signal);
  await listenAt(server, controlSocket);
  let ticketKeys = options.ticketKeys;
  const files = instanceFiles({ ...options, limits }, controlSocket, () => ticketKeys);
  const hash = hashOf(files('', ''));
  const owner = randomUUID();
  let generation = Math.floor(Date.now() / 1000);
  let closing = false;
  let isLost = false;
  let instance = await begin();
  let looking: Promise<void> | null = null;
  let log = followLog(options.onLine);
  let followedAt = monotonicClock.now();
  const pending = new Set<string>();
  let sending: Promise<void> | null = null;

  async function begin(): Promise<Instance> {
    const running = await findRunning(folder);
    if (running?.hash === hash) return takeOver(folder, running, owner);
    const started = takeOver(folder, await startInstance(folder, program.file, hash, files), owner);
    if (running !== null) {
      await collectFrom(running);
      void endInstance(folder, running, OLD_GRACE_MS);
    }
    return started;
  }

  const own = () => instanceFolder(folder, instance);

  /** Sends the changes. While nginx does not respond, they are kept, and it is told to read everything again. */
  async function send(): Promise<void> {
    await Promise.resolve();
    while (pending.size > 0 && !closing) {
      const lines = [...pending];
      pending.clear();
      try {
        await askNginx(own(), '/changed', lines.join('\n'));
      } catch {
        generation += 1;
        pending.clear();
        pending.add(`generation ${generation}`);
        return;
      }
    }
  }

  function tell(line: string): void {
    pending.add(line);
    sending ??= send().finally(() => {
      sending = null;
    });
  }

  async function look(): Promise<void> {
    if (closing) return;
    // A control half that took nginx over also restarts it.
    if (!isRunning(instance.pid) && !hasSuccessor(folder, owner)) {
      // A start can fail many times, for example while the disk is full. The loss is reported once.
      if (!isLost) options.onLost();
      isLost = true;
      // Its last lines may say why, and the next start removes its folder.
      await log.read(path.join(own(), 'error.log'));
      const workers = instance.workers ?? [];
      instance = takeOver(folder, await startInstance(folder, program.file, hash, files), owner);
      isLost = false;
      options.onRestarted?.();
      log = followLog(options.onLine);
      tell(`generation ${generation}`);
      // Workers of a lost master go on serving until their connections have ended.
      for (const worker of workers) signal(worker, 'SIGQUIT');
    }
    await collect();
    await log.read(path.join(own(), 'error.log'));
    if (pending.size > 0 && sending === null) {
      sending = send().finally(() => {
        sending = null;
      });
    }
    // Last, because it fails if the folder of the log is gone, and changes must reach nginx all the same.
    if (await accessLog.isMoved()) signal(instance.pid, 'SIGUSR1');
  }

  async function collect(): Promise<void> {
    const askedAt = monotonicClock.now();
    const { workers, behindMs } = await collectFrom(instance);
    if (workers.length === 0) return;
    instance = { ...instance, workers };
    followedAt = askedAt - behindMs;
  }

  async function collectFrom(from: Instance): Promise<Counted> {
    const now = (options.pathReceipts?.clock ?? options.wallClock).now();
    const told = `${now} ${(options.isReady?.() ?? true) ? 1 : 0}`;
    const counted = readCounted(
      await askNginx(instanceFolder(folder, from), '/counted', told).catch(() => ''),
    );
    options.onCounted(counted);
    return counted;
  }

  async function setTicketKeys(keys: Buffer): Promise<void> {
    ticketKeys = keys;
    const file = path.join(own(), TICKETS);
    // An nginx that was taken over may have other keys than the last ones that this process was given.
    if (keys.equals(await readFile(file).catch(() => NO_KEYS))) return;
    await writeSecret(file, keys);
    const before = instance.workers ?? [];
    signal(instance.pid, 'SIGHUP');
    // nginx starts new workers, which take over the ports.
    for (let waitedMs = 0; waitedMs < RELOAD_MS; waitedMs += STEP_MS) {
      await collect();
      // The old ones stop listening 100 ms after the new ones have started.
      if (!instance.workers?.some((each) => before.includes(each))) return delay(OLD_LISTEN_MS);
      await delay(STEP_MS);
    }
    options.onLine('nginx did not read its new session ticket keys in time');
  }

  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => options.onLine(error instanceof Error ? error.message : String(error)))
      .finally(() => {
        looking = null;
      });
  }, EVERY_MS);
  tell(`generation ${generation}`);
  await sending;
  await collect();
  await setTicketKeys(options.ticketKeys);

  return {
    changed(hostname) {
      control.forget(hostname);
      if (hostname === null) {
        generation += 1;
        tell(`generation ${generation}`);
      } else {
        tell(options.certificates?.isGone?.(hostname) ? `-${hostname}` : hostname);
      }
    },
    routeChanged(hostname) {
      tell(`~${hostname}`);
      tell(`~www.${hostname}`);
    },
    async settled() {
      while (sending !== null) await sending;
    },
    collect,
    setTicketKeys,
    ageMs: () => monotonicClock.now() - followedAt,
    processIds: () => [instance.pid, ...(instance.workers ?? [])],
    async close({ graceMs = 0, leavesNginx = false } = {}) {
      closing = true;
      clearInterval(timer);
      await looking;
      await sending;
      // A successor may have taken over nginx already.
      if (isOwnedBy(folder, instance, owner)) {
        await collect();
        if (!leavesNginx) await endInstance(folder, instance, graceMs);
      }
      server.close();
      ended.abort();
    },
  };
}

/** Time for the requests of an nginx with earlier settings. */
const OLD_GRACE_MS = 60_000;
const RELOAD_MS = 10_000;
const OLD_LISTEN_MS = 500;
const STEP_MS = 50;
const NO_KEYS = Buffer.alloc(0);

async function writeSecret(file: string, content: Buffer): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  await handle.writeFile(content);
  await handle.close();
}
