import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import { monotonicClock } from '../../shared/adapters/system.ts';
import type { Log } from '../../shared/ports/system.ts';
import type { ServiceNode } from '../node.ts';
import { addLoss, NO_LOSSES, restartDelayMs } from './restart-policy.ts';

/**
 * Messages that a process of a node sends to the parent that forked it. `draining` means that the process accepts no new work. `port_in_use`
 * means that the process cannot start, because another process has one of its ports.
 */
export type ProcessMessage =
  | { kind: 'listening'; addresses: ServiceNode['addresses'] }
  | { kind: 'draining' }
  | { kind: 'port_in_use' };

interface SupervisedProcessOptions {
  /** The name, such as `edge-1`. It stays the same when the process is replaced. */
  name: string;
  /**
   * Returns the environment of the next process.
   *
   * @param last the addresses of the previous process; null if no process has listened yet.
   */
  env: (last: ServiceNode['addresses'] | null) => NodeJS.ProcessEnv;
  /** True if a new process can listen while the previous process still drains. */
  sharesPorts: boolean;
  /** The time that the process has to stop before it is killed. */
  graceMs: number;
  /** For this time, a port in use is not treated as a failed start, because a process of a killed parent may still listen on the port. */
  portsTakenMs: number;
  log: Log;
  onLost(name: string): void;
  /** Called when a start fails. @param how the signal, exit code or error that ended the process, such as "SIGKILL" or "code 1". */
  onFailedStart(name: string, how: string): void;
}

/** The state of a process, as `service status` shows it. An unresponsive process listens, but does not answer a health check. */
export interface ShownProcess {
  name: string;
  pid: number | null;
  state: 'starting' | 'ready' | 'unresponsive' | 'waiting' | 'stopped';
  restarts: number;
}

export type SupervisedProcess = ReturnType<typeof createSupervisedProcess>;

/** Keeps one process of a node running. A lost process is replaced after a delay, which is longer with each loss in a row. */
export function createSupervisedProcess(options: SupervisedProcessOptions) {
  const { name, env, sharesPorts, graceMs, portsTakenMs, log, onLost, onFailedStart } = options;
  /** The current process, and previous processes that are still draining. Each promise resolves when the process has ended. */
  const running = new Map<Worker, Promise<void>>();
  const tried = Promise.withResolvers<void>();
  const shown: ShownProcess = { name, pid: null, state: 'waiting', restarts: 0 };
  const portsFreeAt = monotonicClock.now() + portsTakenMs;
  let last: ServiceNode['addresses'] | null = null;
  let losses = NO_LOSSES;
  let waiting: NodeJS.Timeout | undefined;
  let isStopping = false;

  function fork(): void {
    const worker = cluster.fork(env(last));
    const ended = Promise.withResolvers<void>();
    let listeningSince: number | null = null;
    let isLost = false;
    let waitsForPort = false;
    const lose = (how: string) => {
      if (isLost || isStopping) return;
      isLost = true;
      const ranMs = listeningSince === null ? null : monotonicClock.now() - listeningSince;
      replace(how, ranMs, waitsForPort);
    };
    const end = (how: string) => {
      running.delete(worker);
      lose(how);
      ended.resolve();
    };
    worker.on('message', (message: ProcessMessage) => {
      if (message.kind === 'port_in_use') waitsForPort = monotonicClock.now() < portsFreeAt;
      else if (message.kind === 'draining') {
        if (sharesPorts) lose('a drain');
        else if (!isLost) shown.state = 'waiting';
        drain(worker);
      } else {
        listeningSince = monotonicClock.now();
        last = message.addresses;
        shown.state = 'ready';
        tried.resolve();
      }
    });
    worker.on('exit', (code, signal) => end(signal || `code ${code}`));
    // A process that could not be created emits `error`, but no `exit`.
    worker.on('error', (error) => worker.process.pid ?? end(error.message));
    running.set(worker, ended.promise);
    Object.assign(shown, { pid: worker.process.pid ?? null, state: 'starting' });
  }

  /**
   * Drains a process, and kills it if it has not ended after `graceMs`. To leave nginx running, closes the channel to the process instead
   * of sending SIGTERM.
   */
  function drain({ process }: Worker, leavesNginx = false): void {
    if (leavesNginx) process.disconnect();
    else process.kill('SIGTERM');
    const killing = setTimeout(() => process.kill('SIGKILL'), graceMs);
    process.once('exit', () => clearTimeout(killing));
  }

  function replace(how: string, ranMs: number | null, waitsForPort: boolean): void {
    losses = addLoss(losses, waitsForPort ? 0 : ranMs);
    shown.restarts++;
    shown.state = 'waiting';
    const delayMs = restartDelayMs(losses);
    log.warn({ process: name, ended_by: how, restart_in_ms: delayMs }, 'a process of the node is replaced');
    waiting = setTimeout(fork, delayMs);
    onLost(name);
    if (waitsForPort) return;
    if (ranMs === null) onFailedStart(name, how);
    tried.resolve();
  }

  return {
    get shown(): ShownProcess {
      return { ...shown };
    },

    /** The addresses of the current process; null unless it listens. */
    get addresses(): ServiceNode['addresses'] | null {
      return shown.state === 'ready' ? last : null;
    },

    /** True once any process with this name has listened, even if no process listens now. */
    get hasListened(): boolean {
      return last !== null;
    },

    /** Number of failed starts in a row. */
    get failedStarts(): number {
      return losses.failedStarts;
    },

    /** Starts the first process. Resolves when a process listens, or when a start fails. */
    start(): Promise<void> {
      fork();
      return tried.promise;
    },

    /** Drains all processes with this name. Resolves when they have ended. @param leavesNginx true to leave nginx to the next node. */
    async stop(leavesNginx: boolean): Promise<void> {
      isStopping = true;
      clearTimeout(waiting);
      for (const worker of running.keys()) drain(worker, leavesNginx);
      await Promise.all(running.values());
      shown.state = 'stopped';
    },
  };
}
