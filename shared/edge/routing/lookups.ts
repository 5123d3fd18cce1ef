import { LRUCache } from 'lru-cache';

/** Look-ups by a name that anybody may make up: one at a time for each, so many in all, and what is not there is not asked for at once again. */
export class Lookups<T> {
  readonly #find: (name: string) => Promise<T | null>;
  readonly #running = new Map<string, Promise<T | null>>();
  readonly #absent: LRUCache<string, true>;
  readonly #running_max: number;

  constructor({ find, absent_ms, running_max }: LookupOptions<T>) {
    this.#find = find;
    this.#running_max = running_max;
    this.#absent = new LRUCache({ max: 10_000, ttl: absent_ms });
  }

  /** @throws what `find` throws, or TooManyLookups. */
  async find(name: string): Promise<T | null> {
    if (this.#absent.has(name)) return null;
    const running = this.#running.get(name);
    if (running) return running;
    if (this.#running.size >= this.#running_max) throw new TooManyLookups();
    const started: Promise<T | null> = this.#find(name).then(
      (found) => {
        // Forgotten meanwhile: what was found may have gone.
        if (!this.#ends(name, started)) return this.find(name);
        if (found === null) this.#absent.set(name, true);
        return found;
      },
      (error: unknown) => {
        this.#ends(name, started);
        throw error;
      },
    );
    this.#running.set(name, started);
    return started;
  }

  /** It may be another one now: nobody gets an answer of before, those who wait for one included. */
  forget(name: string): void {
    this.#absent.delete(name);
    this.#running.delete(name);
  }

  forgetAll(): void {
    this.#absent.clear();
    this.#running.clear();
  }

  /** @returns false where it was forgotten meanwhile. */
  #ends(name: string, started: Promise<T | null>): boolean {
    return this.#running.get(name) === started && this.#running.delete(name);
  }
}

export interface LookupOptions<T> {
  find: (name: string) => Promise<T | null>;
  absent_ms: number;
  running_max: number;
}

export class TooManyLookups extends Error {
  override name = 'TooManyLookups';

  constructor() {
    super('too many look-ups are running');
  }
}
