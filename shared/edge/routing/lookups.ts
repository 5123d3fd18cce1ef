import { LRUCache } from 'lru-cache';

/**
 * Looks up names that anybody may make up. It runs one lookup at a time for each name, limits all lookups together, and caches absent names
 * briefly.
 */
export class Lookups<T> {
  readonly #find: (name: string) => Promise<T | null>;
  readonly #running = new Map<string, Promise<T | null>>();
  readonly #absent: LRUCache<string, true>;
  readonly #runningMax: number;

  constructor({ find, absentMs, runningMax }: LookupOptions<T>) {
    this.#find = find;
    this.#runningMax = runningMax;
    this.#absent = new LRUCache({ max: 10_000, ttl: absentMs });
  }

  /** Looks up a name, or joins the running lookup of it. @throws TooManyLookups, or what `find` throws. */
  async find(name: string): Promise<T | null> {
    if (this.#absent.has(name)) return null;
    const running = this.#running.get(name);
    if (running) return running;
    if (this.#running.size >= this.#runningMax) throw new TooManyLookups();
    const started: Promise<T | null> = this.#find(name).then(
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

  /** Removes a finished lookup. @returns false if it was forgotten meanwhile. */
  #finish(name: string, started: Promise<T | null>): boolean {
    return this.#running.get(name) === started && this.#running.delete(name);
  }
}

export interface LookupOptions<T> {
  find: (name: string) => Promise<T | null>;
  absentMs: number;
  runningMax: number;
}

export class TooManyLookups extends Error {
  override name = 'TooManyLookups';

  constructor() {
    super('too many lookups are running');
  }
}
