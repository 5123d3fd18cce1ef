import { LRUCache } from 'lru-cache';
import { Turns } from '../../adapters/turns.ts';

/** Maximum number of names that wait while others are looked up. */
const QUEUED_MAX = 10_000;
const WAIT_MS = 5_000;

/**
 * Looks up names that anybody may make up. It runs one lookup at a time for each name and caches absent names briefly. Beyond a number of
 * concurrent lookups, further names wait.
 */
export class Lookups<T> {
  readonly #find: (name: string) => Promise<T | null>;
  readonly #running = new Map<string, Promise<T | null>>();
  readonly #absent: LRUCache<string, true>;
  readonly #turns: Turns;

  constructor({ find, absentMs, runningMax, waitMs = WAIT_MS }: LookupOptions<T>) {
    this.#find = find;
    const queued = { queuedMax: QUEUED_MAX, queuedPerPartyMax: QUEUED_MAX };
    this.#turns = new Turns({ slotsMax: runningMax, mayTake: () => true, ...queued }, waitMs);
    this.#absent = new LRUCache({ max: 10_000, ttl: absentMs });
  }

  /** Looks up a name, or joins the running lookup of it. @throws NoTurnError if the lookup did not begin in time, or what `find` throws. */
  async find(name: string): Promise<T | null> {
    if (this.#absent.has(name)) return null;
    const running = this.#running.get(name);
    if (running) return running;
    const started: Promise<T | null> = this.#findInTurn(name).then(
      (found) => {
        // The name was forgotten during the lookup, so this result may be out of date.
        if (!this.#finish(name, started)) return this.find(name);
        if (found === null) this.#absent.set(name, true);
        return found;
      },
      (error: unknown) => {
        this.#finish(name, started);
        throw error;
      },
    );
    this.#running.set(name, started);
    return started;
  }

  /** Discards what is known about a name, because it may have changed. Callers that wait for a running lookup get a fresh result. */
  forget(name: string): void {
    this.#absent.delete(name);
    this.#running.delete(name);
  }

  forgetAll(): void {
    this.#absent.clear();
    this.#running.clear();
  }

  async #findInTurn(name: string): Promise<T | null> {
    const turn = this.#turns.take('');
    const slot = turn instanceof Promise ? await turn : turn;
    try {
      return await this.#find(name);
    } finally {
      this.#turns.give(slot);
    }
  }

  /** Removes a finished lookup. @returns false if it was forgotten meanwhile. */
  #finish(name: string, started: Promise<T | null>): boolean {
    return this.#running.get(name) === started && this.#running.delete(name);
  }
}

export interface LookupOptions<T> {
  find: (name: string) => Promise<T | null>;
  absentMs: number;
  /** Maximum number of concurrent lookups. */
  runningMax: number;
  /** How long a name waits for its lookup to begin. */
  waitMs?: number;
}
