import type { Clock } from '../../shared/ports/system.ts';

export interface SharedReadsOptions<T> {
  read: () => Promise<T>;
  everyMs: number;
  /** A monotonic clock. */
  machine: Clock;
}

/**
 * Shares reads among callers. Reads run one after the other and begin at least `everyMs` apart, so the cost does not grow with the number
 * of callers.
 */
export class SharedReads<T> {
  readonly #options: SharedReadsOptions<T>;
  #beganAt = Number.NEGATIVE_INFINITY;
  #newest: Promise<T> | null = null;
  /** The next read, until it begins. */
  #next: Promise<T> | null = null;

  constructor(options: SharedReadsOptions<T>) {
    this.#options = options;
  }

  /** Returns the result of a read that begins after this call. @throws the error of `read`. */
  next(): Promise<T> {
    this.#next ??= this.#begin();
    return this.#next;
  }

  /** Returns a result that is at most `everyMs` old, or else of the next read. @throws the error of `read`. */
  recent(): Promise<T> {
    const { machine, everyMs } = this.#options;
    return this.#newest && machine.now() - this.#beganAt < everyMs ? this.#newest : this.next();
  }

  async #begin(): Promise<T> {
    const { read, everyMs, machine } = this.#options;
    // Callers of the newest read receive its error.
    await this.#newest?.catch(() => undefined);
    const waitMs = this.#beganAt + everyMs - machine.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    this.#next = null;
    this.#beganAt = machine.now();
    this.#newest = read();
    return this.#newest;
  }
}
