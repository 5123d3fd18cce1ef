import { setTimeout as delay } from 'node:timers/promises';
import { monotonicClock } from '../../shared/adapters/system.ts';
import type { Clock, Log } from '../../shared/ports/system.ts';
import { endRelayLease, holdRelayLease, type RelayReport } from '../../shared/store/edge/edge-relay.ts';
import { autocommit, type Store } from '../../shared/store/store.ts';
import type { ValueSource } from '../edge/replica/value-source.ts';
import type { OpenedNats } from './open-nats.ts';
import { LEASE_MS, NOTHING_DONE, RELAY_BEAT_MS, startTerm } from './relay-term.ts';

/** Copies the values of edges from the table to the bucket in NATS. One relay at a time does this. If it fails, another one takes over. */
export interface Relay {
  /** Returns the state of the relay; null while this process does not have the lease. */
  report(): RelayReport | null;
  /** Returns the problem of this process, active or not; null if there is none. */
  problem(): string | null;
  close(): Promise<void>;
}

export interface RelayOptions {
  store: Store;
  /** The table. */
  source: ValueSource;
  nats: OpenedNats;
  /** Identifies this process. */
  holder: string;
  /** The number of servers that keep a copy of a new bucket. */
  replicas: number;
  /** The time of the database. */
  clock: Clock;
  log: Log;
}

export function startRelay(options: RelayOptions): Relay {
  const { store, nats, holder, log } = options;
  const closing = new AbortController();
  let term: ReturnType<typeof startTerm> | null = null;
  let problem: string | null = 'NATS is not connected yet';

  async function run(): Promise<void> {
    const aborted = new Promise((resolve) => {
      closing.signal.addEventListener('abort', resolve);
    });
    await Promise.race([nats.opened.catch(() => aborted), aborted]);
    while (!closing.signal.aborted) {
      // Without NATS, this process must leave the lease to another one.
      const isAway = nats.awayMs() > LEASE_MS;
      try {
        if (!isAway) await keepLease();
        problem = isAway ? 'NATS is not connected' : null;
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        if (problem !== text) log.warn({ error }, 'this process cannot get the lease of the relay');
        problem = text;
      }
      if (isAway && term !== null) {
        await term.end();
        term = null;
        await endRelayLease(autocommit(store), holder).catch(() => undefined);
      }
      if (term?.isOver() === true) {
        await term.end();
        term = null;
      }
      await delay(RELAY_BEAT_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
    await term?.end();
    term = null;
    await endRelayLease(autocommit(store), holder).catch(() => undefined);
  }

  async function keepLease(): Promise<void> {
    const asked = monotonicClock.now();
    if (term !== null) return term.keep(asked);
    const nothing = { mark: null, sequence: 0, report: NOTHING_DONE };
    const found = await holdRelayLease(autocommit(store), { holder, ...nothing }, LEASE_MS, true);
    if (found !== null) term = startTerm(options, found, asked);
  }

  const running = run();
  return {
    report: () => term?.report() ?? null,
    problem: () => problem ?? term?.report().error ?? null,
    async close() {
      closing.abort();
      await running;
    },
  };
}
