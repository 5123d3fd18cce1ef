import { existsSync, statSync } from 'node:fs';
import { type EdgeVersion, isNewer, type SealedValue } from '../../../shared/core/edge/edge-value.ts';
import type { Instant } from '../../../shared/core/instant.ts';
import { EDGE_DELETIONS_KEPT_MS } from '../../../shared/operations/edge/publish-edge-values.ts';
import type { Mark } from '../../../shared/store/commit-order.ts';
import { hasEnded, nameHolder } from './lease-holder.ts';
import { connectTo, openFile, replicaFile } from './replica-file.ts';

/**
 * The values of an edge machine in a SQLite file (`decisions/0101`). Every edge process of the machine reads the file, and the process that
 * holds the lease writes it. Values stay sealed in the file. All calls are synchronous: a value takes some microseconds.
 */
export type Replica = ReturnType<typeof openReplica>;

export type KeyVersion = EdgeVersion & { key: string };
export type StoredValue = SealedValue & { value: Uint8Array };

/** A position in the order of commits of an installation's database: the file has everything that was committed before it. */
export interface ReplicaPosition extends Mark {
  installation: string;
  /** The time of the source. */
  at: Instant;
}

/** A value to replace by what the source has. */
export interface Replacement {
  key: string;
  /** The version in the file when it was compared; null if the file had none. If it differs now, nothing is replaced. */
  compared: EdgeVersion | null;
  /** The value in the source; null if the source does not know the key. */
  value: SealedValue | null;
}

/** The holder in the file while no process has the lease. */
const NOBODY = '0';
/** Without a sign of life from the writer for this time, another process takes the lease. */
const LEASE_MS = 2_000;
/** A reader that is further behind does not read the changes, and forgets all its values instead. */
const CHANGES_MAX = 10_000;
/** A transaction with more values is recorded as a change of everything. */
const LISTED_MAX = 400;
/** A process never waits longer than this for another process that writes, because visitors would wait too. */
const BUSY_MS = 50;
const SQLITE_BUSY = 5;

/**
 * Opens the replica in a folder, or creates it.
 * @throws Error if the folder cannot be used, or if the file is damaged or has another format.
 */
export function openReplica(folder: string) {
  using opened = new DisposableStack();
  const file = replicaFile(folder);
  const writer = openFile(folder, opened);
  // A connection of its own, because a connection does not see its own writes in `data_version`.
  const reader = connectTo(file, opened);
  for (const database of [writer, reader]) database.exec(`pragma busy_timeout = ${BUSY_MS}`);
  const inode = statSync(file).ino;
  const self = nameHolder();

  const finding = reader.prepare(
    'select key, epoch, number, value from names join stored on stored.id = names.id where key = ?',
  );
  const keysFrom = reader.prepare('select key from names where key >= ? and key < ?');
  const counting = reader.prepare('select count(*) as count from names where key >= ? and key < ?');
  const dataVersion = reader.prepare('pragma data_version');
  const lastChange = reader.prepare('select max(seq) as seq from changes');
  const listing = reader.prepare(
    `select seq, key from changes where seq > ? order by seq limit ${CHANGES_MAX}`,
  );
  const findBeat = reader.prepare('select beat, beat_at as at from lease');
  let seenVersion = dataVersion.get()?.['data_version'];
  let seenChange = Number(lastChange.get()?.['seq'] ?? 0);

  const versionOf = writer.prepare(
    'select names.id, epoch, number from names join stored on stored.id = names.id where key = ?',
  );
  const goneVersion = writer.prepare('select epoch, number from gone where key = ?');
  const addStored = writer.prepare('insert into stored (epoch, number, value) values (?, ?, ?)');
  const addName = writer.prepare('insert into names (key, id) values (?, ?)');
  const setStored = writer.prepare('update stored set epoch = ?, number = ?, value = ? where id = ?');
  const dropStored = writer.prepare('delete from stored where id = (select id from names where key = ?)');
  const dropName = writer.prepare('delete from names where key = ?');
  const setGone = writer.prepare('insert or replace into gone (key, epoch, number) values (?, ?, ?)');
  const dropGone = writer.prepare('delete from gone where key = ?');
  // A number is at least the time of its change in milliseconds. The limit keeps the writer from blocking its process.
  const forgetGone = writer.prepare(
    'delete from gone where key in (select key from gone where number < ? order by number limit 100)',
  );
  const addChange = writer.prepare('insert into changes (key) values (?)');
  const trimChanges = writer.prepare(
    `delete from changes where seq <= (select max(seq) from changes) - ${10 * CHANGES_MAX}`,
  );
  const setFact = writer.prepare('insert or replace into facts (name, value) values (?, ?)');
  const findLease = writer.prepare('select holder, sign from lease');
  const addBeat = writer.prepare('update lease set beat = beat + 1, beat_at = ? where holder = ?');
  const showLife = writer.prepare('update lease set sign = sign + 1 where holder = ?');
  const takeLease = writer.prepare(
    'update lease set holder = ?, sign = sign + 1 where holder = ? and sign = ?',
  );
  let seenSign = { sign: -1, at: 0 };
  let lockedAt: number | null = null;

  function storedVersion(key: string): (EdgeVersion & { id?: number }) | null {
    return ((versionOf.get(key) ?? goneVersion.get(key)) as EdgeVersion | undefined) ?? null;
  }

  function write({ key, epoch, number, value }: SealedValue): void {
    const id = versionOf.get(key)?.['id'];
    if (value === null) {
      drop(key);
      setGone.run(key, epoch, number);
    } else if (id === undefined) {
      dropGone.run(key);
      addName.run(key, addStored.run(epoch, number, value).lastInsertRowid);
    } else setStored.run(epoch, number, value, Number(id));
  }

  function drop(key: string): void {
    dropStored.run(key);
    dropName.run(key);
    dropGone.run(key);
  }

  /** Throws if another process has the lease. A process that was frozen may have values that the source has lost since. */
  function checkLease(): void {
    const { holder } = findLease.get() as unknown as { holder: string };
    if (holder !== self && holder !== NOBODY) throw new Error('another process writes the replica');
  }

  function noteChanges(keys: readonly string[]): void {
    if (keys.length > LISTED_MAX) addChange.run('*');
    else for (const key of keys) addChange.run(key);
    trimChanges.run();
  }

  /** Runs a transaction. @param survives whether a loss of power must not undo it. */
  function transact<T>(survives: boolean, work: () => T): T {
    writer.exec(`pragma synchronous = ${survives ? 'full' : 'normal'}; begin immediate`);
    try {
      const result = work();
      writer.exec('commit');
      return result;
    } catch (error) {
      if (writer.isTransaction) writer.exec('rollback');
      throw error;
    }
  }

  const connections = opened.move();
  return {
    /** Returns a value. Null if there is none, or if it was deleted. */
    find: (key: string) => (finding.get(key) as StoredValue | undefined) ?? null,

    /** Returns the keys with a value that begin with a prefix. */
    keysOf: (prefix: string): string[] =>
      keysFrom.all(prefix, `${prefix}\u{10ffff}`).map(({ key }) => String(key)),

    /** Returns the number of keys with a value that begin with a prefix. */
    count: (prefix: string): number => Number(counting.get(prefix, `${prefix}\u{10ffff}`)?.['count']),

    /** Returns the size of the file in bytes. */
    bytes: (): number => statSync(file).size,

    /** Returns the keys that changed since the last call. Null if anything may have changed. */
    changes(): string[] | null {
      const version = dataVersion.get()?.['data_version'];
      if (version === seenVersion) return [];
      seenVersion = version;
      const listed = listing.all(seenChange);
      const keys = listed.map(({ key }) => String(key));
      const last = Number(listed.at(-1)?.['seq'] ?? seenChange);
      const isWhole = last - seenChange === keys.length && keys.length < CHANGES_MAX && !keys.includes('*');
      seenChange = isWhole ? last : Number(lastChange.get()?.['seq']);
      return isWhole ? keys : null;
    },

    /** Returns whether another file has taken the place of this one. */
    isReplaced: (): boolean => !existsSync(file) || statSync(file).ino !== inode,

    /** Stores the values that are newer than the file's, in one transaction that survives a loss of power. */
    apply(values: readonly SealedValue[]): void {
      transact(true, () => {
        checkLease();
        const keys: string[] = [];
        for (const value of values) {
          if (!isNewer(value, storedVersion(value.key))) continue;
          write(value);
          keys.push(value.key);
        }
        noteChanges(keys);
      });
    },

    /** Replaces the file's values with the source's, even with lower versions. Skips a value that has changed since it was compared. */
    replace(replacements: readonly Replacement[]): void {
      transact(true, () => {
        const due = replacements.filter(({ key, compared }) => isSame(storedVersion(key), compared));
        for (const { key, value } of due) {
          if (value === null) drop(key);
          else write(value);
        }
        noteChanges(due.map(({ key }) => key));
      });
    },

    /** Tells all processes of the machine that the file belongs to another installation. */
    disown(): void {
      transact(true, () => {
        checkLease();
        writer.exec("delete from facts where name = 'position'");
        addChange.run('*');
      });
    },

    /** Lists the versions of a range of keys, deleted ones too. The range begins after `after` and includes `to`; null is the end. */
    versions(after: string, to: string | null): KeyVersion[] {
      const range = `key > ? and key <= ?`;
      const end = to ?? '\u{10ffff}';
      return writer
        .prepare(
          `select key, epoch, number from names join stored on stored.id = names.id where ${range}
           union all select key, epoch, number from gone where ${range} order by key`,
        )
        .all(after, end, after, end) as unknown as KeyVersion[];
    },

    /** Returns the position. Null if the file must not be served: it has no complete copy yet, or is of another installation. */
    position(): ReplicaPosition | null {
      const text = reader.prepare("select value from facts where name = 'position'").get()?.['value'];
      return text === undefined ? null : (JSON.parse(String(text)) as ReplicaPosition);
    },

    /**
     * Takes or keeps the lease of the writer. Returns whether this process has it. A process takes it over from one that has ended, or that
     * gave no sign of life for `LEASE_MS`.
     * A frozen holder does no harm when it runs again: `apply` fails while another process has the lease, and `replace` skips values that
     * have changed since.
     * @param now the time of a monotonic clock.
     */
    holdsLease(now: number): boolean {
      const { holder, sign } = findLease.get() as unknown as { holder: string; sign: number };
      if (sign !== seenSign.sign) {
        seenSign = { sign, at: now };
        lockedAt = null;
      }
      const isOwn = holder === self;
      if (!isOwn && holder !== NOBODY && !hasEnded(holder) && now - seenSign.at < LEASE_MS) return false;
      try {
        const { changes } = transact(false, () =>
          isOwn ? showLife.run(self) : takeLease.run(self, holder, sign),
        );
        lockedAt = null;
        return changes === 1;
      } catch (error) {
        if ((error as { errcode?: number }).errcode === SQLITE_BUSY) lockedAt ??= now;
        throw error;
      }
    },

    /** Returns for how long no process has been able to write. @param now the time of the clock of `holdsLease`. */
    lockedMs: (now: number): number => (lockedAt === null ? 0 : now - lockedAt),

    /**
     * Tells all processes that the file is up to date with its source.
     * @param now the time of the source. @param position null if the source has no values yet.
     */
    beat(now: Instant, position: ReplicaPosition | null): void {
      transact(false, () => {
        const { changes } = addBeat.run(now, self);
        // A process that was frozen and has lost the lease must not set the position back.
        if (changes === 1 && position !== null) setFact.run('position', JSON.stringify(position));
        forgetGone.run(now - EDGE_DELETIONS_KEPT_MS);
      });
    },

    /** Returns the number of beats, and the time of the source at the last beat. */
    lastBeat: () => findBeat.get() as { beat: number; at: number },

    close(): void {
      try {
        writer.prepare('update lease set holder = ? where holder = ?').run(NOBODY, self);
      } finally {
        connections.dispose();
      }
    },
  };
}

function isSame(one: EdgeVersion | null, other: EdgeVersion | null): boolean {
  return one?.epoch === other?.epoch && one?.number === other?.number;
}
