import { setTimeout as delay } from 'node:timers/promises';
import { monotonicClock } from '../../shared/adapters/system.ts';
import { isNewer, type SealedValue, splitKey } from '../../shared/core/edge/edge-value.ts';
import { createAlarm } from '../../shared/ports/system.ts';
import type { Mark } from '../../shared/store/commit-order.ts';
import { holdRelayLease, type RelayReport } from '../../shared/store/edge/edge-relay.ts';
import { autocommit } from '../../shared/store/store.ts';
import { ConflictError, RefusedError } from './bucket.ts';
import { openBucketWriter } from './bucket-writer.ts';
import { refusalText } from './connect-nats.ts';
import { fillBucket } from './fill-bucket.ts';
import type { RelayOptions } from './relay.ts';
import { sendBeat } from './relay-beat.ts';

export const RELAY_BEAT_MS = 500;
/** A relay that has not kept its lease for this time has lost it. */
export const LEASE_MS = 2_500;
const RETRY_MS = 250;
/** If more changes wait for the bucket, the whole bucket is compared instead. */
const WAITING_MAX = 10_000;
const CHECKED_MS = 2_000;
/** While the relay reports an error, it repeats deletions and holds, from `URGENT_MS` before the error on. */
const URGENT_MS = 10_000;
const URGENT_MAX = 1_000;
const AGAIN_MS = 1_000;
/** An election of a leader takes up to 8 s. */
const REFUSED_MS = 10_000;
/** How often the bucket is compared with the table. */
const COMPARED_MS = 60 * 60_000;

export const NOTHING_DONE: RelayReport = {
  generation: null,
  pending: 0,
  differences: 0,
  compared_at: null,
  error: null,
};

/** Copies changes until the lease is lost. @param keptAt when the lease was taken, by the monotonic clock. */
export function startTerm(
  options: RelayOptions,
  from: { mark: Mark | null; sequence: number },
  keptAt: number,
) {
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
  /** A position up to which the bucket has all changes; null if unknown. */
  let storedTo = from.mark;
  /** Whether the changes since the last term were sent. They must not wait for a comparison. */
  let hasCaughtUp = false;
  let queue: SealedValue[] = [];
  let urgent: { value: SealedValue; at: number }[] = [];
  let toldAgainAt = 0;
  let mustCompare = true;
  let comparedAt = 0;
  /** Whether the record of the bucket names the installation, which has no id before its first value. */
  let hasInstallation = true;
  let checkedAt = 0;
  /** Since when no server accepts values. */
  let refusedAt: number | null = null;
  writer.sequence = from.sequence;

  /** Keeps the lease, and stores the position for a successor. Ends the term if another process has taken the lease. */
  async function keep(asked: number): Promise<void> {
    const { sequence } = writer;
    report.pending = counts.told - counts.stored;
    const position = { mark: storedTo ?? mark, sequence };
    const held = await holdRelayLease(autocommit(store), { holder, ...position, report }, LEASE_MS, false);
    if (held === null) ending.abort();
    else keptAt = asked;
    if (!holds()) throw new Error('another relay has the lease');
  }

  function failed(what: string, error: unknown): void {
    if (signal.aborted) return;
    const text = `${what}: ${refusalText(error)}`;
    if (report.error !== text) log.warn({ error }, what);
    report.error = text;
  }

  /** Sends each change to the edges at once, and to the bucket in turn. */
  async function readChanges(): Promise<void> {
    if (mark === null) {
      mark = await source.mark();
      storedTo = null;
      // The database may have lost these deletions and holds.
      urgent = [];
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
      if (queue.length > WAITING_MAX) {
        queue = [];
        mustCompare = true;
      }
      // A page is sent before the next one is read, so that the memory does not grow.
      await nats.connection().flush();
    }
    hasCaughtUp = true;
    waiting.ring();
    tellAgain();
    if (mark === null) return readChanges();
    const { told, stored } = counts;
    const { generation } = report;
    sendBeat(nats.connection(), nats.name, {
      now: clock.now(),
      generation,
      sequence: writer.sequence,
      // Messages are lost while the connection is broken, which edges on other servers do not notice.
      term: `${holder} ${nats.breaks()}`,
      told,
      stored,
    });
  }

  /**
   * Sends deletions and holds again while the relay reports an error. An edge that moves to another server may have missed a message, and the
   * bucket may lack it.
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
    if (((await bucket.lastSequence()) ?? -1) < writer.sequence) mustCompare = true;
    checkedAt = monotonicClock.now();
  }

  /**
   * Deletes the bucket if its servers have it, but accept nothing for it. Version 2.9 of NATS can get into this state after several crashes, and
   * stays in it. The next comparison creates and fills the bucket.
   */
  async function healBucket(error: unknown): Promise<void> {
    if (!(error instanceof RefusedError)) {
      refusedAt = null;
      return;
    }
    refusedAt ??= monotonicClock.now();
    if (monotonicClock.now() - refusedAt < REFUSED_MS || !holds()) return;
    if (!(await refusesRecord())) return;
    log.error(
      { error },
      'the NATS servers have the bucket, but accept nothing for it: the relay creates it again',
    );
    refusedAt = null;
    mustCompare = true;
    report.generation = null;
    await bucket.remove();
  }

  /** Returns whether the bucket refuses even the record that it has. Otherwise the refused key is at fault. */
  async function refusesRecord(): Promise<boolean> {
    if ((await bucket.lastSequence()) === null) return false;
    const { record, sequence } = await bucket.record();
    if (record === null || !holds()) return false;
    return bucket.putRecord(record, sequence).then(
      () => false,
      (error: unknown) => error instanceof RefusedError && holds(),
    );
  }

  async function writeBucket(): Promise<void> {
    if (!hasCaughtUp) return;
    if (!hasInstallation && queue.length > 0) mustCompare = true;
    await checkBucket();
    if (mustCompare || monotonicClock.now() - comparedAt > COMPARED_MS) {
      const { told } = counts;
      const begun = mark;
      // The comparison reads earlier changes from the table. The queue collects later ones.
      queue = [];
      mustCompare = false;
      try {
        const filled = await fillBucket({
          bucket,
          writer,
          source,
          replicas,
          holds,
          storedTo,
          onIncomplete: () => {
            report.generation = null;
          },
          log,
        });
        report.generation = filled.record.generation;
        hasInstallation = filled.record.installation !== null;
        report.differences += filled.differences;
        storedTo = begun;
        report.compared_at = clock.now();
        comparedAt = monotonicClock.now();
        refusedAt = null;
        counts.stored = Math.max(counts.stored, told);
      } catch (error) {
        mustCompare = true;
        throw error;
      }
    }
    // A comparison may have stored newer values than those in the queue.
    const taken = queue.splice(0, 500);
    const takenTo = queue.length === 0 && !mustCompare ? mark : storedTo;
    if (taken.length === 0) {
      storedTo = takenTo;
      return;
    }
    const newest = new Map(taken.map((value) => [value.key, value]));
    const batch = [...newest.values()].filter((value) => isNewer(value, writer.index.find(value.key)));
    try {
      await writer.putAll(batch, holds);
      counts.stored += taken.length;
      storedTo = takenTo;
      if (writer.hasGoneBack) mustCompare = true;
      refusedAt = null;
    } catch (error) {
      queue.unshift(...taken);
      if (error instanceof ConflictError) mustCompare = true;
      throw error;
    }
    waiting.ring();
  }

  async function repeat(
    what: string,
    work: () => Promise<void>,
    wait: () => Promise<void>,
    onError: (error: unknown) => Promise<void>,
  ): Promise<void> {
    while (!signal.aborted) {
      try {
        await work();
        if (report.error?.startsWith(what)) report.error = null;
        await wait();
      } catch (error) {
        failed(what, error);
        await onError(error).catch((next: unknown) => failed(what, next));
        await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  const unsubscribe = source.subscribe(() => {
    changed.ring();
    return true;
  });
  const running = Promise.all([
    repeat(
      'the relay cannot read changes',
      readChanges,
      () => changed.wait(RELAY_BEAT_MS),
      async () => undefined,
    ),
    repeat(
      'the relay cannot write to the bucket',
      writeBucket,
      () => waiting.wait(RELAY_BEAT_MS),
      healBucket,
    ),
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
