import type { Clock } from '../../shared/ports/clock.ts';

export interface SharedReadsOptions<T> {
  read: () => Promise<T>;
  every_ms: number;
  /** Monotonic. */
  machine: Clock;
}

/** One read for all who ask, one after the other, and begun at least `every_ms` apart: however many ask, it costs the same. */
export class SharedReads<T> {
  readonly #options: SharedReadsOptions<T>;
  #began_at = Number.NEGATIVE_INFINITY;
  #newest: Promise<T> | null = null;
  /** Not begun yet. */
  #next: Promise<T> | null = null;

  constructor(options: SharedReadsOptions<T>) {
    this.#options = options;
  }

  /** What is true after the question: a read that begins from now on. @throws what `read` throws. */
  next(): Promise<T> {
    this.#next ??= this.#begin();
    return this.#next;
  }

  /** What was true `every_ms` ago or later, without a wait for the read that is due then. @throws what `read` throws. */
  recent(): Promise<T> {
    const { machine, every_ms } = this.#options;
    return this.#newest && machine.now() - this.#began_at < every_ms ? this.#newest : this.next();
  }

  async #begin(): Promise<T> {
    const { read, every_ms, machine } = this.#options;
    // Those who asked for it are told how it ended.
    await this.#newest?.catch(() => undefined);
    const wait_ms = this.#began_at + every_ms - machine.now();
    if (wait_ms > 0) await new Promise((resolve) => setTimeout(resolve, wait_ms));
    this.#next = null;
    this.#began_at = machine.now();
    this.#newest = read();
    return this.#newest;
  }
}
