import type { Clock } from '../../shared/ports/system.ts';

/**
 * Shares the results of a read among all its callers. Reads run one after the other and begin at least `everyMs` apart, so the cost does
 * not grow with the number of callers.
 */
export function createSharedReads<T>({ read, everyMs, machine }: SharedReadsOptions<T>) {
  let beganAt = Number.NEGATIVE_INFINITY;
  let newest: Promise<T> | null = null;
  /** The read that will begin next. Null if no read is planned. */
  let waiting: Promise<T> | null = null;

  async function begin(): Promise<T> {
    // Ignore the error of the previous read here, because its own callers receive it.
    await newest?.catch(() => undefined);
    const waitMs = beganAt + everyMs - machine.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    waiting = null;
    beganAt = machine.now();
    newest = read();
    return newest;
  }

  /** Returns the result of a read that begins after this call. @throws the error of `read`. */
  function next(): Promise<T> {
    waiting ??= begin();
    return waiting;
  }

  /**
   * Returns the newest result if its read began less than `everyMs` ago. Otherwise returns the result of the next read.
   *
   * @throws the error of `read`.
   */
  function recent(): Promise<T> {
    return newest && machine.now() - beganAt < everyMs ? newest : next();
  }

  return { next, recent };
}

interface SharedReadsOptions<T> {
  read: () => Promise<T>;
  everyMs: number;
  /** A monotonic clock. */
  machine: Clock;
}
