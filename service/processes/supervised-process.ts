import { monotonicClock } from '../../shared/adapters/system-clock.ts';
import type { Log } from '../../shared/ports/log.ts';
import type { ServiceNode } from '../node.ts';
import { type ForkedProcess, forkProcess } from './forked-process.ts';
import { addLoss, FAILED_STARTS_MAX, NO_LOSSES, restartDelayMs } from './restart-policy.ts';

export interface SupervisedProcessOptions {
  /** Name such as `edge-1`. It stays the same when the process is replaced. */
  name: string;
  /** Returns the environment. Called at each start. */
  env: () => NodeJS.ProcessEnv;
  /** True if a replacement can listen while its predecessor drains. */
  sharesPorts: boolean;
  /** Time that the process has to stop before it is killed. */
  graceMs: number;
  log: Log;
  onLost(name: string): void;
  /** Called when the process has failed to start too often in a row. */
  onFailing(name: string): void;
}

/** State of a process, as `service status` shows it. */
export interface ShownProcess {
  name: string;
  pid: number | null;
  state: 'starting' | 'ready' | 'waiting' | 'stopped';
  restarts: number;
}

/** Keeps one process of a node running. It replaces a lost process, after a longer delay with each loss in a row. */
export class SupervisedProcess {
  readonly #options: SupervisedProcessOptions;
  /** The current process, and predecessors that are still draining. */
  readonly #running = new Set<ForkedProcess>();
  #current: ForkedProcess | null = null;
  #addresses: ServiceNode['addresses'] | null = null;
  #state: ShownProcess['state'] = 'starting';
  #restarts = 0;
  #losses = NO_LOSSES;
  #waiting: NodeJS.Timeout | undefined;
  #stopping = false;
  readonly #allEnded = Promise.withResolvers<void>();

  constructor(options: SupervisedProcessOptions) {
    this.#options = options;
  }

  get shown(): ShownProcess {
    const { name } = this.#options;
    return { name, pid: this.#current?.pid ?? null, state: this.#state, restarts: this.#restarts };
  }

  get ready(): boolean {
    return this.#state === 'ready';
  }

  /** Returns the addresses of the current process, or null until it listens. */
  get addresses(): ServiceNode['addresses'] | null {
    return this.#addresses;
  }

  /** Starts the first process. @throws Error if it ends before it listens. It is then not started again. */
  start(): Promise<ServiceNode['addresses']> {
    const { promise, resolve, reject } = Promise.withResolvers<ServiceNode['addresses']>();
    this.#fork({
      onListening: resolve,
      onFailed: (how) => {
        this.#stopping = true;
        reject(new Error(`${this.#options.name} ended with ${how} before it listened`));
      },
    });
    return promise;
  }

  /** Drains every process, and resolves when all of them have ended. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#waiting);
    for (const each of this.#running) each.stop(this.#options.graceMs);
    this.#endIfAlone();
    await this.#allEnded.promise;
    this.#state = 'stopped';
  }

  #fork(first?: { onListening(addresses: ServiceNode['addresses']): void; onFailed(how: string): void }) {
    let listeningSince: number | null = null;
    let isLost = false;
    const { env, sharesPorts, graceMs } = this.#options;
    const lose = (how: string) => {
      if (isLost || this.#stopping) return;
      isLost = true;
      if (listeningSince === null && first !== undefined) first.onFailed(how);
      else this.#replace(how, listeningSince === null ? null : monotonicClock.now() - listeningSince);
    };
    const forked = forkProcess(env(), {
      listening: (addresses) => {
        listeningSince = monotonicClock.now();
        this.#addresses = addresses;
        this.#state = 'ready';
        first?.onListening(addresses);
      },
      draining: () => {
        if (sharesPorts) lose('a drain');
        else if (this.#current === forked) this.#state = 'waiting';
        forked.stop(graceMs);
      },
      ended: (how) => {
        this.#running.delete(forked);
        lose(how);
        this.#endIfAlone();
      },
    });
    this.#running.add(forked);
    this.#current = forked;
    this.#addresses = null;
    this.#state = 'starting';
  }

  #replace(how: string, ranMs: number | null): void {
    const { name, log, onLost, onFailing } = this.#options;
    this.#losses = addLoss(this.#losses, ranMs);
    this.#restarts++;
    this.#addresses = null;
    this.#state = 'waiting';
    const delayMs = restartDelayMs(this.#losses);
    log.warn({ process: name, ended_by: how, restart_in_ms: delayMs }, 'a process of the node is replaced');
    onLost(name);
    if (this.#losses.failedStarts >= FAILED_STARTS_MAX) onFailing(name);
    if (!this.#stopping) this.#waiting = setTimeout(() => this.#fork(), delayMs);
  }

  #endIfAlone(): void {
    if (this.#stopping && this.#running.size === 0) this.#allEnded.resolve();
  }
}
