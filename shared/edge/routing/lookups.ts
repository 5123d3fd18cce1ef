import { LRUCache } from 'lru-cache';
import { createTurns } from '../../adapters/turns.ts';

/** Maximum number of names that wait while others are looked up. */
const QUEUED_MAX = 10_000;
const WAIT_MS = 5_000;

/**
 * Looks up names that anybody may make up. It runs one lookup at a time for each name and caches absent names briefly. Beyond a number of
 * concurrent lookups, further names wait.
 */
export function createLookups<T>({
  find: findOne,
  absentMs,
  runningMax,
  waitMs = WAIT_MS,
}: LookupOptions<T>) {
  const running = new Map<string, Promise<T | null>>();
  const absent = new LRUCache<string, true>({ max: 10_000, ttl: absentMs });
  const queued = { queuedMax: QUEUED_MAX, queuedPerPartyMax: QUEUED_MAX };
  const turns = createTurns({ slotsMax: runningMax, mayTake: () => true, ...queued }, waitMs);

  /** Looks up a name, or joins the running lookup of it. @throws NoTurnError if the lookup did not begin in time, or what `find` throws. */
  async function find(name: string): Promise<T | null> {
    if (absent.has(name)) return null;
    const known = running.get(name);
    if (known) return known;
    const started: Promise<T | null> = findInTurn(name).then(
      (found) => {
        // The name was forgotten during the lookup, so this result may be out of date.
        if (!finish(name, started)) return find(name);
        if (found === null) absent.set(name, true);
        return found;
      },
      (error: unknown) => {
        finish(name, started);
        throw error;
      },
    );
    running.set(name, started);
    return started;
  }

  /** Discards what is known about a name, because it may have changed. Callers that wait for a running lookup get a fresh result. */
  function forget(name: string): void {
    absent.delete(name);
    running.delete(name);
  }

  function forgetAll(): void {
    absent.clear();
    running.clear();
  }

  async function findInTurn(name: string): Promise<T | null> {
    const turn = turns.take('');
    const slot = turn instanceof Promise ? await turn : turn;
    try {
      return await findOne(name);
    } finally {
      turns.give(slot);
    }
  }

  /** Removes a finished lookup. @returns false if it was forgotten meanwhile. */
  function finish(name: string, started: Promise<T | null>): boolean {
    return running.get(name) === started && running.delete(name);
  }

  return { find, forget, forgetAll };
}

interface LookupOptions<T> {
  find: (name: string) => Promise<T | null>;
  absentMs: number;
  /** Maximum number of concurrent lookups. */
  runningMax: number;
  /** How long a name waits for its lookup to begin. */
  waitMs?: number;
}
