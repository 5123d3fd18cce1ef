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

export interface SupervisedProcessOptions {
  /** Name such as `edge-1`. It stays the same when the process is replaced. */
  name: string;
  /** Returns the environment of the next process. @param last the addresses of its predecessor; null if none has listened. */
  env: (last: ServiceNode['addresses'] | null) => NodeJS.ProcessEnv;
  /** True if a replacement can listen while its predecessor drains. */
  sharesPorts: boolean;
  /** Time that the process has to stop before it is killed. */
  graceMs: number;
  /** Time after construction in which a port in use is not a failed start, because processes of a killed parent may have it. */
  portsTakenMs: number;
  log: Log;
  onLost(name: string): void;
  /** Called when a start fails. @param how the signal, exit code or error that ended the process, such as "SIGKILL" or "code 1". */
  onFailedStart(name: string, how: string): void;
}

/** State of a process, as `service status` shows it. An unresponsive process has listened, but does not answer a health check. */
export interface ShownProcess {
  name: string;
  pid: number | null;
  state: 'starting' | 'ready' | 'unresponsive' | 'waiting' | 'stopped';
  restarts: number;
}

/** Keeps one process of a node running. It replaces a lost process, after a longer delay with each loss in a row. */
export class SupervisedProcess {
  readonly #options: SupervisedProcessOptions;
  /** The current process, and predecessors that are still draining. Each promise resolves when the process has ended. */
  readonly #running = new Map<Worker, Promise<void>>();
  readonly #tried = Promise.withResolvers<void>();
  readonly #shown: ShownProcess;
  readonly #portsFreeAt: number;
  #last: ServiceNode['addresses'] | null = null;
  #losses = NO_LOSSES;
  #waiting: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor(options: SupervisedProcessOptions) {
    this.#options = options;
    this.#portsFreeAt = monotonicClock.now() + options.portsTakenMs;
    this.#shown = { name: options.name, pid: null, state: 'waiting', restarts: 0 };
  }

  get shown(): ShownProcess {
    return { ...this.#shown };
  }

  /** The addresses of the current process; null unless it listens. */
  get addresses(): ServiceNode['addresses'] | null {
    return this.#shown.state === 'ready' ? this.#last : null;
  }

  /** True once a process of this name has listened, even if that process is lost now. */
  get hasListened(): boolean {
    return this.#last !== null;
  }

  /** Number of failed starts in a row. */
  get failedStarts(): number {
    return this.#losses.failedStarts;
  }

  /** Starts the first process. Resolves when a process listens, or when a start fails. */
  start(): Promise<void> {
    this.#fork();
    return this.#tried.promise;
  }

  /** Drains every process, and resolves when all of them have ended. @param leavesNginx true to leave nginx to the next node. */
  async stop(leavesNginx: boolean): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#waiting);
    for (const worker of this.#running.keys()) this.#drain(worker, leavesNginx);
    await Promise.all(this.#running.values());
    this.#shown.state = 'stopped';
  }

  #fork(): void {
    const worker = cluster.fork(this.#options.env(this.#last));
    const ended = Promise.withResolvers<void>();
    let listeningSince: number | null = null;
    let isLost = false;
    let waitsForPort = false;
    const lose = (how: string) => {
      if (isLost || this.#stopping) return;
      isLost = true;
      const ranMs = listeningSince === null ? null : monotonicClock.now() - listeningSince;
      this.#replace(how, ranMs, waitsForPort);
    };
    const end = (how: string) => {
      this.#running.delete(worker);
      lose(how);
      ended.resolve();
    };
    worker.on('message', (message: ProcessMessage) => {
      if (message.kind === 'port_in_use') waitsForPort = monotonicClock.now() < this.#portsFreeAt;
      else if (message.kind === 'draining') {
        if (this.#options.sharesPorts) lose('a drain');
        else if (!isLost) this.#shown.state = 'waiting';
        this.#drain(worker);
      } else {
        listeningSince = monotonicClock.now();
        this.#last = message.addresses;
        this.#shown.state = 'ready';
        this.#tried.resolve();
      }
    });
    worker.on('exit', (code, signal) => end(signal || `code ${code}`));
    // If a process cannot be created, it emits no `exit`.
    worker.on('error', (error) => worker.process.pid ?? end(error.message));
    this.#running.set(worker, ended.promise);
    Object.assign(this.#shown, { pid: worker.process.pid ?? null, state: 'starting' });
  }

  /** Drains a process, and kills it if it has not ended after `graceMs`. Without its channel, a process leaves nginx running. */
  #drain({ process }: Worker, leavesNginx = false): void {
    if (leavesNginx) process.disconnect();
    else process.kill('SIGTERM');
    const killing = setTimeout(() => process.kill('SIGKILL'), this.#options.graceMs);
    process.once('exit', () => clearTimeout(killing));
  }

  #replace(how: string, ranMs: number | null, waitsForPort: boolean): void {
    const { name, log, onLost, onFailedStart } = this.#options;
    this.#losses = addLoss(this.#losses, waitsForPort ? 0 : ranMs);
    this.#shown.restarts++;
    this.#shown.state = 'waiting';
    const delayMs = restartDelayMs(this.#losses);
    log.warn({ process: name, ended_by: how, restart_in_ms: delayMs }, 'a process of the node is replaced');
    this.#waiting = setTimeout(() => this.#fork(), delayMs);
    onLost(name);
    if (waitsForPort) return;
    if (ranMs === null) onFailedStart(name, how);
    this.#tried.resolve();
  }
}
