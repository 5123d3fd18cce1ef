import path from 'node:path';
import type { TrustedHops } from '../../../shared/adapters/client-addresses.ts';
import { monotonicClock } from '../../../shared/adapters/system.ts';
import { EDGE_LIMITS, type EdgeLimits } from '../../../shared/edge/edge-limits.ts';
import type { PathReceipts } from '../../../shared/edge/routing/path-receipts.ts';
import type { Clock } from '../../../shared/ports/system.ts';
import type { AccessLogSettings } from '../../settings/access-log-settings.ts';
import type { Rotation } from '../access-log/log-file.ts';
import { askNginx } from './ask-nginx.ts';
import { type ControlOptions, createControl } from './control-handlers.ts';
import { createControlServer, listenAt } from './control-server.ts';
import { createNginxChanges, type NginxChanges } from './nginx-changes.ts';
import type { NginxListener } from './nginx-configuration.ts';
import { type NginxCounted, readCounted } from './nginx-counters.ts';
import { instanceFiles } from './nginx-files.ts';
import { openFolder } from './nginx-folder.ts';
import { followLog, watchAccessLog } from './nginx-logs.ts';
import { type Instance, instanceFolder } from './nginx-process.ts';
import type { NginxProgram } from './nginx-program.ts';
import { type RunningNginx, runNginx } from './running-nginx.ts';

export interface NginxEdgeOptions extends Omit<ControlOptions, 'limits'> {
  program: NginxProgram;
  /** The folder of nginx's files and sockets. A later node process with the same folder takes over the running nginx. */
  folder: string;
  listeners: readonly NginxListener[];
  workers: number;
  limits?: Partial<EdgeLimits>;
  hops?: TrustedHops;
  /** The public HTTPS port, which appears in redirects. */
  httpsPort: number;
  localhostSuffix?: boolean;
  wallClock: Clock;
  /** The keys and the clock for responses to our own path probes. Null if nginx does not respond to these probes. */
  pathReceipts: PathReceipts | null;
  connectTimeoutMs: number;
  /** PEM certificates of authorities to trust for connections to origins, in addition to the system's. */
  roots?: readonly string[];
  /** 80 random bytes, the same on every node. */
  ticketKeys: Buffer;
  http3?: boolean;
  /** Returns whether load balancers should send visitors to this node. By default, they always should. */
  isReady?: (() => boolean) | undefined;
  /** How long nginx continues to run without a node process before it ends; by default 30 minutes. */
  orphanMs?: number | undefined;
  /** False only in the benchmark that measures the cost of counting traffic. */
  countsTraffic?: boolean;
  accessLog?: AccessLogSettings | null;
  /** Called every second with nginx's counts since the last call. */
  onCounted: (counted: NginxCounted) => void;
  /** Called with each line of nginx's error log. */
  onLine: (line: string) => void;
  /** Called once when nginx has ended, before the first attempt to start it again. */
  onLost: () => void;
  /** Called when nginx runs again after `onLost`. */
  onRestarted?: () => void;
}

/** The part of an nginx edge in the node process: the node process makes the decisions, and nginx handles the requests. */
export interface NginxEdge {
  /** Tells nginx that a hostname's route or certificate may have changed. @param hostname null if all may have changed. */
  changed(hostname: string | null): void;
  /** Tells nginx that the routes of all hostnames of an app may have changed. */
  appChanged(appId: string): void;
  /** Resolves when all changes so far were sent to nginx. */
  settled(): Promise<void>;
  /** Collects nginx's counters now. */
  collect(): Promise<void>;
  setTicketKeys(keys: Buffer): Promise<void>;
  /** Returns the milliseconds since all workers of nginx were last up to date with all changes. */
  ageMs(): number;
  /** Returns the process ids of nginx: its master and its workers. */
  processIds(): number[];
  /**
   * Stops controlling nginx. Also ends nginx, unless another node process has taken it over.
   * @param options.graceMs milliseconds that running requests have to finish. @param options.leavesNginx true to leave nginx to the next
   * process.
   */
  close(options?: { graceMs?: number; leavesNginx?: boolean }): Promise<void>;
}

const EVERY_MS = 1_000;

/** Starts nginx as the engine of an edge, or takes over the nginx that an earlier node process started. */
export async function startNginxEdge(options: NginxEdgeOptions): Promise<NginxEdge> {
  const { folder, program, onLine } = options;
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
  const nginx = await runNginx(folder, program.file, files, collectFrom);
  const changes = createNginxChanges(nginx.folder);
  let followedAt = monotonicClock.now();

  async function collect(): Promise<void> {
    const askedAt = monotonicClock.now();
    const { workers, behindMs } = await collectFrom(nginx.instance());
    if (workers.length === 0) return;
    nginx.noteWorkers(workers);
    followedAt = askedAt - behindMs;
  }

  async function collectFrom(from: Instance): Promise<NginxCounted> {
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
    if (!(await nginx.setTicketKeys(keys, collect)))
      onLine('nginx did not read its new session ticket keys in time');
  }

  changes.tellAll();
  await changes.settled();
  await collect();
  await setTicketKeys(ticketKeys);
  const watch = watchNginx(options, { nginx, changes, accessLog, collect });

  return {
    changed(hostname) {
      control.forget(hostname);
      if (hostname === null) changes.tellAll();
      else changes.tell(options.certificates?.isGone?.(hostname) ? `-${hostname}` : hostname);
    },
    appChanged: (appId) => changes.tell(`@${appId}`),
    settled: changes.settled,
    collect,
    setTicketKeys,
    ageMs: () => monotonicClock.now() - followedAt,
    processIds: () => [nginx.instance().pid, ...(nginx.instance().workers ?? [])],
    async close({ graceMs = 0, leavesNginx = false } = {}) {
      changes.stop();
      await watch.stop();
      await changes.settled();
      if (!nginx.isTaken()) {
        await collect();
        if (!leavesNginx) await nginx.end(graceMs);
      }
      server.close();
      ended.abort();
    },
  };
}

interface Watched {
  nginx: RunningNginx;
  changes: NginxChanges;
  accessLog: Rotation;
  collect: () => Promise<void>;
}

/**
 * Watches nginx every second: restarts it if it has ended, collects its counts, reads its log, and sends changes that it has not received.
 */
function watchNginx(
  { onLine, onLost, onRestarted }: NginxEdgeOptions,
  { nginx, changes, accessLog, collect }: Watched,
): { stop(): Promise<void> } {
  let log = followLog(onLine);
  let isLost = false;
  let looking: Promise<void> | null = null;
  const readLog = () => log.read(path.join(nginx.folder(), 'error.log'));

  async function restart(): Promise<void> {
    // Report the loss only once, because a start can fail many times, for example while the disk is full.
    if (!isLost) onLost();
    isLost = true;
    // Read the log first: its last lines may give the reason, and the next start removes the folder of the log.
    await readLog();
    await nginx.restart();
    isLost = false;
    onRestarted?.();
    log = followLog(onLine);
    changes.tellAll();
  }

  async function look(): Promise<void> {
    // The process that has taken nginx over watches nginx, and tells nginx whether the node is ready.
    if (nginx.isTaken()) return;
    if (nginx.isLost()) await restart();
    await collect();
    await readLog();
    changes.retry();
    // Check the access log last: the check fails if the log's folder is gone, but nginx must still get the changes.
    if (await accessLog.isMoved()) nginx.reopenLogs();
  }

  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => onLine(error instanceof Error ? error.message : String(error)))
      .finally(() => {
        looking = null;
      });
  }, EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
