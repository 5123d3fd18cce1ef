import { LRUCache } from 'lru-cache';
import { createTurns } from '../../adapters/turns.ts';

/** Maximum number of names that wait for their lookup to begin. */
const QUEUED_MAX = 10_000;
const WAIT_MS = 5_000;

/**
 * Returns functions that look up names. Anyone can make up names, so the functions run one lookup at a time for each name, limit the
 * concurrent lookups, and briefly cache missing names.
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

  /**
   * Looks up a name, or waits for a running lookup of the same name.
   * @throws NoTurnError if the lookup did not begin in time, or the error of `find`.
   */
  async function find(name: string): Promise<T | null> {
    if (absent.has(name)) return null;
    const known = running.get(name);
    if (known) return known;
    const started: Promise<T | null> = findInTurn(name).then(
      (found) => {
        // `forget` was called during the lookup, so the result may be out of date. Look the name up again.
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

  /** Discards the cached result of a name, because it may have changed. Callers that wait for a lookup get the result of a new lookup. */
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

  /** Removes a finished lookup from the running lookups. @returns false if `forget` discarded the lookup while it was running. */
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
