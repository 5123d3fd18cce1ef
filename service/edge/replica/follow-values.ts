import { monotonicClock } from '../../../shared/adapters/system.ts';
import type { SealedValue } from '../../../shared/core/edge/edge-value.ts';
import { type Instant, MINUTE_MS } from '../../../shared/core/instant.ts';
import { EDGE_DELETIONS_KEPT_MS } from '../../../shared/operations/edge/publish-edge-values.ts';
import { type Clock, createAlarm, type Log } from '../../../shared/ports/system.ts';
import type { Mark } from '../../../shared/store/commit-order.ts';
import type { KeyVersion, Replacement, Replica } from './replica.ts';
import { ReplicaError } from './replica-file.ts';
import type { ValueSource } from './value-source.ts';
import { versionDifferences } from './version-differences.ts';

/** Keeps a machine's replica up to date with its source (`decisions/0101`). */
export interface ValueFollower {
  /** Resolves once the replica has been complete and up to date. */
  ready: Promise<void>;
  /** Reads an unreadable value from the source again, because only the copy in the replica may be damaged. */
  readAgain(key: string): void;
  close(): Promise<void>;
}

export interface FollowerOptions {
  source: ValueSource;
  replica: Replica;
  /** The clock of the source, which tells readers how old their values are. */
  clock: Clock;
  log: Log;
  /** Called with each error of the source or of the replica. */
  onFailure?(error: unknown): void;
  pollMs?: number;
  machine?: Clock;
}

/** The interval of reads, because notices may be lost. */
const POLL_MS = 500;
/** The maximum time between a deletion and its commit, with the difference between the clocks of nodes. */
const DELETED_EARLIER_MS = 10 * MINUTE_MS;

/** The number of values that a comparison reads together. */
const FOUND_MAX = 500;

export function followValues(options: FollowerOptions): ValueFollower {
  const { source, replica, clock, log, pollMs = POLL_MS, machine = monotonicClock } = options;
  const alarm = createAlarm();
  const ready = Promise.withResolvers<void>();
  let installation = '';
  /** The position up to which the replica is complete. Null until it is known to belong to this source. */
  let mark: Mark | null = null;
  /** The time of the last copy or comparison in this process. */
  let copiedAt: Instant | null = null;
  let isClosed = false;
  let isAway = false;
  /** Whether the replica has all values, possibly of an earlier time. */
  let hasCopy = true;
  const unopened = new Set<string>();
  const firstBeat = replica.lastBeat().beat;

  /** Applies the changes since a mark. @returns the mark after them; null if the mark belongs to another source. */
  async function readChanges(since: Mark): Promise<Mark | null> {
    const changes = source.changes(since);
    for (let next = await changes.next(); ; next = await changes.next()) {
      if (next.done) return next.value;
      replica.apply(next.value);
    }
  }

  async function applyAll(batches: AsyncIterable<SealedValue[]>): Promise<void> {
    for await (const rows of batches) {
      if (isClosed) return;
      replica.apply(rows);
      replica.holdsLease(machine.now());
    }
  }

  /**
   * Makes the replica equal to the source. Compares versions, and reads the values that differ. A lower version of the source wins too,
   * because the database may have lost commits or forgotten a deletion.
   */
  async function compare(begun: Mark): Promise<void> {
    let differences = 0;
    let read: Mark | null = begun;
    let after = '';
    /** Replaces what differs up to a key; null is the end. */
    const replaceUpTo = async (rows: readonly KeyVersion[], to: string | null): Promise<void> => {
      const different = versionDifferences(rows, replica.versions(after, to));
      differences += different.length;
      for (let from = 0; from < different.length; from += FOUND_MAX) {
        const part = different.slice(from, from + FOUND_MAX);
        const values = await source.find(part.map(({ key }) => key));
        replica.replace(part.map((each): Replacement => ({ ...each, value: values.get(each.key) ?? null })));
      }
      replica.holdsLease(machine.now());
      // Deletions and holds do not wait for the whole comparison.
      if (read !== null) read = await readChanges(read);
    };
    for await (const rows of source.versions()) {
      if (isClosed) return;
      const to = rows.at(-1)?.key ?? after;
      await replaceUpTo(rows, to);
      after = to;
    }
    await replaceUpTo([], null);
    log.info({ differences }, 'the replica of this edge was compared with its source');
  }

  /** Brings the replica up to date. @returns whether it is. An installation without values has nothing to read. */
  async function read(): Promise<boolean> {
    const known = replica.position();
    hasCopy = known !== null;
    const since = known?.at ?? copiedAt;
    // The source forgets deletions after a time, so an old position would miss them.
    const isYoung = since !== null && clock.now() - since < EDGE_DELETIONS_KEPT_MS / 2;
    mark = mark !== null && isYoung ? await readChanges(mark) : null;
    if (mark !== null) return true;
    const found = await source.installation();
    if (found === null) return true;
    if (known !== null && known.installation !== found) {
      replica.disown();
      throw new ReplicaError('it belongs to another installation');
    }
    installation = found;
    mark = known !== null && isYoung ? await readChanges(known) : null;
    if (mark !== null) return true;
    const [begun, begunAt] = [await source.mark(), clock.now()];
    // A copy that ended in the middle may have values that the source has deleted since.
    if (replica.count('') === 0) await applyAll(source.values());
    else {
      // Deletions and holds must not wait for a comparison of all values.
      await applyAll(source.urgent((known?.at ?? clock.now()) - DELETED_EARLIER_MS));
      await compare(begun);
    }
    // A failure of the next read must not repeat the copy.
    [mark, copiedAt] = [begun, begunAt];
    mark = await readChanges(begun);
    return mark !== null;
  }

  async function readUnopened(): Promise<void> {
    const keys = [...unopened];
    if (keys.length === 0) return;
    const values = await source.find(keys);
    for (const key of keys) {
      const [compared, value] = [replica.find(key), values.get(key) ?? null];
      // If the source has the same bytes, the value stays unreadable.
      if (compared && !Buffer.from(compared.value).equals(value?.value ?? Buffer.alloc(0)))
        replica.replace([{ key, compared, value }]);
      unopened.delete(key);
    }
  }

  async function look(): Promise<void> {
    try {
      if (!replica.holdsLease(machine.now())) {
        // Another process of this machine writes the file.
        if (replica.lastBeat().beat !== firstBeat) ready.resolve();
        await readUnopened();
        return;
      }
      // If the follower was closed meanwhile, the read may be incomplete.
      if (!(await read()) || isClosed) return;
      await readUnopened();
      const at = clock.now();
      replica.beat(at, mark && { ...mark, installation, at });
      hasCopy ||= mark !== null;
      ready.resolve();
      if (isAway) log.info({}, 'the edge follows its source again');
      isAway = false;
    } catch (error) {
      options.onFailure?.(error);
      if (!isAway && !isClosed && !(error instanceof ReplicaError))
        log.warn(
          { error },
          `the edge cannot read changes, and ${hasCopy ? 'serves what its replica has' : 'waits for its first copy'}`,
        );
      isAway = true;
    }
  }

  async function run(): Promise<void> {
    while (!isClosed) {
      await look();
      await alarm.wait(pollMs);
    }
  }

  const unsubscribe = source.subscribe((values) => {
    alarm.ring();
    if (values.length === 0) return true;
    try {
      // A first copy reads the changes since its mark itself.
      if (replica.position() === null || !replica.holdsLease(machine.now())) return false;
      replica.apply(values);
      return true;
    } catch (error) {
      options.onFailure?.(error);
      return false;
    }
  });
  const running = run();
  return {
    ready: ready.promise,
    readAgain(key) {
      unopened.add(key);
      alarm.ring();
    },
    async close() {
      isClosed = true;
      unsubscribe();
      alarm.ring();
      await running;
    },
  };
}
