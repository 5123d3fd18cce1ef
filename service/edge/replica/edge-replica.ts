import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { monotonicClock } from '../../../shared/adapters/system.ts';
import {
  type EdgeKind,
  type EdgeValues,
  edgeKey,
  type HostCertificate,
  type HostValue,
  splitKey,
} from '../../../shared/core/edge/edge-value.ts';
import type { EdgeValueSource } from '../../../shared/operations/edge/edge-reader.ts';
import type { Clock, Log, ValueBox } from '../../../shared/ports/system.ts';
import { CommandError } from '../../commands/operator/command-error.ts';
import { followValues, type ValueFollower } from './follow-values.ts';
import { replaceLocked } from './locked-replica.ts';
import { openReplica, type Replica, type StoredValue } from './replica.ts';
import { isUnusable, putAside } from './replica-file.ts';
import type { ValueSource } from './value-source.ts';

/** Learns of changes in the replica. */
export interface ReplicaListener {
  /** Called when a hostname's route, certificate or hold may have changed. @param hostname null if all may have changed. */
  changed(hostname: string | null): void;
  /** Called when the value that all hostnames of an app share has changed. */
  appChanged?(appId: string): void;
}

/** The values of this machine, opened, and kept up to date. */
export interface EdgeReplica extends EdgeValueSource {
  /** Resolves once the replica has all values, possibly of an earlier time. Without a file, this takes a first copy. */
  complete: Promise<void>;
  /** Adds a listener. @returns a function that removes it. */
  subscribe(listener: ReplicaListener): () => void;
  /** Returns the milliseconds since the values were last known to be up to date. */
  ageMs(): number;
  /** Returns a number that rises each time the values are up to date with their source. */
  beats(): number;
  /** Forgets opened values that have changed in the file. A timer does this every 20 ms. */
  refresh(): void;
  counts(): ReplicaCounts;
  close(): Promise<void>;
}

/** The numbers of a replica that the metrics show. */
export interface ReplicaCounts {
  hostnames: number;
  /** Values that could not be opened. */
  unreadable: number;
  bytes: number;
}

export interface EdgeReplicaOptions {
  folder: string;
  box: ValueBox;
  source: ValueSource;
  clock: Clock;
  log: Log;
  pollMs?: number;
  /** The clock by which processes of the machine wait for each other. */
  machine?: Clock;
}

interface OpenedFile {
  replica: Replica;
  follower: ValueFollower;
  /** The last beat, and when this process saw it, by its monotonic clock. */
  seen: { beat: number; at: number };
}

const REFRESH_MS = 20;
/** How long a count of the hostnames is used. */
const COUNTED_MS = 10_000;
/** The maximum time for which a process with a replica catches up before it serves. */
const CATCH_UP_MS = 1_000;
/** The number of opened values that a process keeps. */
const OPENED_MAX = 40_000;

/**
 * Opens the machine's replica, and waits at most `CATCH_UP_MS` for its source. A new file is not `complete` before its first copy.
 * @throws CommandError if the folder cannot be used.
 */
export async function openEdgeReplica(options: EdgeReplicaOptions): Promise<EdgeReplica> {
  const { folder, box, clock, log, machine = monotonicClock } = options;
  const listeners = new Set<ReplicaListener>();
  const opened = new LRUCache<string, object>({ max: OPENED_MAX });
  const unreadable = new Set<string>();
  const complete = Promise.withResolvers<void>();
  let holds: ReadonlySet<string> | null = null;
  let { replica, follower, seen } = open();
  /** A new file that takes the place of the current one once it is complete. */
  let successor: OpenedFile | null = null;
  let isClosed = false;
  /** Whether another file may have taken the place of the newest one. */
  let mayBeReplaced = false;
  let counted = { at: -COUNTED_MS, hostnames: 0 };

  function open(): OpenedFile {
    const file = openOrReplace(folder, log);
    const { beat, at } = file.lastBeat();
    const onFailure = (error: unknown) => setAside(file, error);
    const opening = followValues({ ...options, replica: file, onFailure });
    void opening.ready.then(complete.resolve);
    return {
      replica: file,
      follower: opening,
      seen: { beat, at: monotonicClock.now() - Math.max(0, clock.now() - at) },
    };
  }

  /** Opens the file that has taken the place of the newest one. Serves from it once complete, or at once if the current file is incomplete. */
  function reopen(): void {
    const next = open();
    if (successor !== null) void end(successor);
    successor = next;
    void (isComplete(replica) ? next.follower.ready : Promise.resolve()).then(() => {
      if (isClosed || successor !== next) return;
      void end({ replica, follower });
      ({ replica, follower, seen } = next);
      successor = null;
      forgetAll();
    });
  }

  async function end(old: Omit<OpenedFile, 'seen'>): Promise<void> {
    await old.follower.close();
    try {
      old.replica.close();
    } catch (error) {
      log.warn({ error }, 'the replica of this edge could not be closed cleanly');
    }
  }

  function setAside(file: Replica, error: unknown): void {
    if (!isUnusable(error) || isClosed || file.isReplaced()) return;
    const aside = putAside(folder);
    log.error({ error, folder, aside }, 'the replica of this edge cannot be used: it is put aside');
    mayBeReplaced = true;
  }

  function forgetAll(): void {
    opened.clear();
    unreadable.clear();
    holds = null;
    mayBeReplaced = true;
    tell(null);
  }

  function forget(key: string): void {
    opened.delete(key);
    unreadable.delete(key);
    const [kind, name] = splitKey(key);
    if (kind === 'host') {
      tell(name);
      tell(`www.${name}`);
    } else if (kind === 'app') for (const listener of listeners) listener.appChanged?.(name);
    else if (kind === 'hold') {
      holds = null;
      tell(name.startsWith('*.') ? null : name);
    }
  }

  function tell(hostname: string | null): void {
    for (const listener of listeners) listener.changed(hostname);
  }

  function refresh(): void {
    const changes = replica.changes();
    if (changes === null) forgetAll();
    else for (const key of changes) forget(key);
    const { beat } = replica.lastBeat();
    if (beat !== seen.beat) seen = { beat, at: monotonicClock.now() };
  }

  function read<K extends EdgeKind>(kind: K, name: string): EdgeValues[K] | 'unreadable' | null {
    const key = edgeKey(kind, name);
    let sealed: StoredValue | null;
    try {
      sealed = replica.find(key);
    } catch (error) {
      setAside(replica, error);
      throw error;
    }
    if (sealed === null) return null;
    try {
      return box.open(sealed) as EdgeValues[K];
    } catch (error) {
      // Each value is logged once. The metrics count it until it changes.
      if (!unreadable.has(key)) {
        log.error({ error, value: key }, 'a value of the edge cannot be opened');
        follower.readAgain(key);
      }
      unreadable.add(key);
      return 'unreadable';
    }
  }

  let polls = 0;
  const timer = setInterval(() => {
    polls += 1;
    const isSeldom = polls % 50 === 0;
    try {
      refresh();
      const newest = successor?.replica ?? replica;
      if (isSeldom) void replaceLocked(folder, newest, machine, log);
      if (isSeldom || mayBeReplaced) {
        if (newest.isReplaced()) reopen();
        // A file that belongs to another installation loses its position first, and its place shortly afterwards.
        mayBeReplaced = !isComplete(replica);
      }
    } catch (error) {
      setAside(replica, error);
      if (isSeldom) log.error({ error }, 'the replica of this edge cannot be read');
    }
  }, REFRESH_MS);

  if (isComplete(replica)) complete.resolve();
  const caughtUp = new AbortController();
  await Promise.race([follower.ready, delay(CATCH_UP_MS, undefined, { signal: caughtUp.signal })]);
  caughtUp.abort();
  refresh();

  return {
    complete: complete.promise,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    find<K extends EdgeKind>(kind: K, name: string): EdgeValues[K] | 'unreadable' | null {
      const key = edgeKey(kind, name);
      const known = opened.get(key);
      if (known !== undefined) return known as EdgeValues[K];
      const found = read(kind, name);
      if (found === null || found === 'unreadable') return found;
      // Keeps the private key only in the file and in the TLS contexts.
      const kept = kind === 'host' ? { ...(found as HostValue), certificate: null } : found;
      opened.set(key, kept);
      return kept as EdgeValues[K];
    },
    certificateOf(hostname): HostCertificate | 'unreadable' | null {
      const found = read('host', hostname);
      return found === null || found === 'unreadable' ? found : found.certificate;
    },
    holds(): ReadonlySet<string> {
      holds ??= new Set(replica.keysOf('hold.').map((key) => splitKey(key)[1]));
      return holds;
    },
    ageMs: () => monotonicClock.now() - seen.at,
    beats: () => replica.lastBeat().beat,
    refresh,
    counts() {
      const now = monotonicClock.now();
      // Counting reads every name.
      if (now >= counted.at + COUNTED_MS) counted = { at: now, hostnames: replica.count('host.') };
      return { hostnames: counted.hostnames, unreadable: unreadable.size, bytes: replica.bytes() };
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await Promise.all([{ replica, follower }, successor].map((each) => each && end(each)));
    },
  };
}

/** Returns whether a file can be served. True for a damaged file too, because its intact pages can be served. */
function isComplete(file: Replica): boolean {
  try {
    return file.position() !== null;
  } catch {
    return true;
  }
}

function openOrReplace(folder: string, log: Log): Replica {
  try {
    try {
      return openReplica(folder);
    } catch (error) {
      if (!isUnusable(error)) throw error;
      const aside = putAside(folder);
      log.error({ error, folder, aside }, 'the replica of this edge cannot be opened: it is put aside');
      return openReplica(folder);
    }
  } catch (error) {
    throw new CommandError(
      'edge_folder_unusable',
      `The replica of the edge in ${folder} cannot be opened: ${error instanceof Error ? error.message : error}`,
      'Set NAMEPLATE_EDGE_REPLICA to a folder on a local disk with enough space that this user can write to.',
      error,
    );
  }
}
