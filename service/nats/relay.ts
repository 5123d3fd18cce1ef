import { setTimeout as delay } from 'node:timers/promises';
import { monotonicClock } from '../../shared/adapters/system.ts';
import { type SealedValue, splitKey } from '../../shared/core/edge/edge-value.ts';
import { type Clock, createAlarm, type Log } from '../../shared/ports/system.ts';
import type { Mark } from '../../shared/store/commit-order.ts';
import { endRelayLease, holdRelayLease, type RelayReport } from '../../shared/store/edge/edge-relay.ts';
import type { Store } from '../../shared/store/store.ts';
import type { ValueSource } from '../edge/replica/value-source.ts';
import { ConflictError } from './bucket.ts';
import { openBucketWriter } from './bucket-writer.ts';
import { fillBucket } from './fill-bucket.ts';
import type { OpenedNats } from './open-nats.ts';
import { sendBeat } from './relay-beat.ts';

/** Copies the values of edges from the table to the bucket in NATS. One relay at a time does this; a second one takes over. */
export interface Relay {
  /** Returns what the relay does; null while another one has the lease. */
  report(): RelayReport | null;
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

const BEAT_MS = 500;
/** A relay that has not kept its lease for this time has lost it. */
const LEASE_MS = 2_500;
const RETRY_MS = 250;
/** If more changes wait for the bucket, they are forgotten, and the whole bucket is compared instead. */
const WAITING_MAX = 10_000;
const CHECKED_MS = 2_000;
/** The deletions and holds that are sent again: those of the last seconds before the bucket refused something, and all after it. */
const URGENT_MS = 10_000;
const URGENT_MAX = 1_000;
const AGAIN_MS = 1_000;
/** How often the bucket is compared with the table. */
const COMPARED_MS = 60 * 60_000;

export function startRelay(options: RelayOptions): Relay {
  const { store, nats, holder, log } = options;
  const closing = new AbortController();
  let term: ReturnType<typeof startTerm> | null = null;

  async function run(): Promise<void> {
    const aborted = new Promise((resolve) => {
      closing.signal.addEventListener('abort', resolve);
    });
    await Promise.race([nats.opened.catch(() => aborted), aborted]);
    while (!closing.signal.aborted) {
      try {
        await keepLease();
      } catch (error) {
        if (term !== null) log.warn({ error }, 'the relay cannot keep its lease');
      }
      if (term?.isOver() === true) {
        await term.end();
        term = null;
      }
      await delay(BEAT_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
    await term?.end();
    term = null;
    await endRelayLease(store, holder).catch(() => undefined);
  }

  async function keepLease(): Promise<void> {
    const asked = monotonicClock.now();
    if (term !== null) return term.keep(asked);
    const nothing = { mark: null, sequence: 0, report: NOTHING_DONE };
    const found = await holdRelayLease(store, { holder, ...nothing }, LEASE_MS, true);
    if (found !== null) term = startTerm(options, found, asked);
  }

  const running = run();
  return {
    report: () => term?.report() ?? null,
    async close() {
      closing.abort();
      await running;
    },
  };
}

const NOTHING_DONE: RelayReport = {
  generation: null,
  pending: 0,
  differences: 0,
  compared_at: null,
  error: null,
};

/** Relays until the lease is lost. @param keptAt when the lease was taken, by the monotonic clock. */
function startTerm(options: RelayOptions, from: { mark: Mark | null; sequence: number }, keptAt: number) {
  const { store, source, nats, holder, replicas, clock, log } = options;
  const bucket = nats.bucket();
  const ending = new AbortController();
  const { signal } = ending;
  const holds = () => !signal.aborted && monotonicClock.now() - keptAt < LEASE_MS;
  const writer = openBucketWriter({ bucket, source, checkLease: () => keep(monotonicClock.now()) });
  const [changed, waiting] = [createAlarm(), createAlarm()];
  const report: RelayReport = { ...NOTHING_DONE };
  const counts = { told: 0, stored: 0 };
  let mark = from.mark;
  let queue: SealedValue[] = [];
  let urgent: { value: SealedValue; at: number }[] = [];
  let toldAgainAt = 0;
  let mustCompare = true;
  let comparedAt = 0;
  /** Whether the record of the bucket names the installation, which has no id before its first value. */
  let hasInstallation = true;
  let checkedAt = 0;
  writer.sequence = from.sequence;

  /** Keeps the lease, with the position that a successor continues from. Ends the term if another process has taken the lease. */
  async function keep(asked: number): Promise<void> {
    const { sequence } = writer;
    report.pending = counts.told - counts.stored;
    const held = await holdRelayLease(store, { holder, mark, sequence, report }, LEASE_MS, false);
    if (held === null) ending.abort();
    else keptAt = asked;
    if (!holds()) throw new Error('another relay has the lease');
  }

  function failed(what: string, error: unknown): void {
    if (signal.aborted) return;
    const text = `${what}: ${error instanceof Error ? error.message : error}`;
    if (report.error !== text) log.warn({ error }, what);
    report.error = text;
  }

  /** Sends each change to the edges at once, and to the bucket in turn. */
  async function readChanges(): Promise<void> {
    if (mark === null) {
      mark = await source.mark();
      mustCompare = true;
    }
    const changes = source.changes(mark);
    for (let next = await changes.next(); ; next = await changes.next()) {
      if (!holds()) return;
      if (next.done) {
        mark = next.value;
        break;
      }
      for (const value of next.value) bucket.tell(value);
      urgent.push(...next.value.filter(isUrgent).map((value) => ({ value, at: monotonicClock.now() })));
      counts.told += next.value.length;
      queue.push(...next.value);
    }
    if (queue.length > WAITING_MAX) {
      queue = [];
      mustCompare = true;
    }
    waiting.ring();
    tellAgain();
    if (mark === null) return readChanges();
    const { told, stored } = counts;
    const { generation } = report;
    sendBeat(nats.connection(), nats.name, {
      now: clock.now(),
      generation,
      sequence: writer.sequence,
      term: holder,
      told,
      stored,
    });
  }

  /**
   * Sends deletions and holds again while the bucket refuses something. An edge that changes to another server may have missed a message, and cannot
   * read it from such a bucket.
   */
  function tellAgain(): void {
    const now = monotonicClock.now();
    if (report.error === null) urgent = urgent.filter(({ at }) => now - at < URGENT_MS);
    urgent = urgent.slice(-URGENT_MAX);
    if (report.error === null || now - toldAgainAt < AGAIN_MS) return;
    toldAgainAt = now;
    for (const { value } of urgent) bucket.tell(value);
  }

  /** Finds out whether the bucket was removed, or has lost messages. */
  async function checkBucket(): Promise<void> {
    if (monotonicClock.now() - checkedAt < CHECKED_MS) return;
    checkedAt = monotonicClock.now();
    if (((await bucket.lastSequence()) ?? -1) < writer.sequence) mustCompare = true;
  }

  async function writeBucket(): Promise<void> {
    if (!hasInstallation && queue.length > 0) mustCompare = true;
    await checkBucket();
    if (mustCompare || monotonicClock.now() - comparedAt > COMPARED_MS) {
      const { told } = counts;
      // Changes that were told before are in the table, and those that are told meanwhile are in the queue.
      queue = [];
      mustCompare = false;
      try {
        const filled = await fillBucket({ bucket, writer, source, replicas, holds, log });
        report.generation = filled.record.generation;
        hasInstallation = filled.record.installation !== null;
        report.differences += filled.differences;
        report.compared_at = clock.now();
        comparedAt = monotonicClock.now();
        counts.stored = Math.max(counts.stored, told);
      } catch (error) {
        mustCompare = true;
        throw error;
      }
    }
    const batch = queue.splice(0, 500);
    if (batch.length === 0) return;
    try {
      await writer.putAll(batch, holds);
      counts.stored += batch.length;
    } catch (error) {
      queue.unshift(...batch);
      if (error instanceof ConflictError) mustCompare = true;
      throw error;
    }
    waiting.ring();
  }

  async function repeat(work: () => Promise<void>, wait: () => Promise<void>, what: string): Promise<void> {
    while (!signal.aborted) {
      try {
        await work();
        if (report.error?.startsWith(what)) report.error = null;
        await wait();
      } catch (error) {
        failed(what, error);
        await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  const unsubscribe = source.subscribe(() => changed.ring());
  const running = Promise.all([
    repeat(readChanges, () => changed.wait(BEAT_MS), 'the relay cannot read changes'),
    repeat(writeBucket, () => waiting.wait(BEAT_MS), 'the relay cannot write to the bucket'),
  ]);
  log.info({}, 'this process is the relay now');
  return {
    keep,
    report: () => report,
    isOver: () => !holds(),
    async end() {
      ending.abort();
      unsubscribe();
      changed.ring();
      waiting.ring();
      await running;
      writer.close();
    },
  };
}

function isUrgent({ key, value }: SealedValue): boolean {
  return value === null || splitKey(key)[0] === 'hold';
}
