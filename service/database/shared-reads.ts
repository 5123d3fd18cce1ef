import type { Clock } from '../../shared/ports/system.ts';

/**
 * Shares reads among callers. Reads run one after the other and begin at least `everyMs` apart, so the cost does not grow with the number
 * of callers.
 */
export function createSharedReads<T>({ read, everyMs, machine }: SharedReadsOptions<T>) {
  let beganAt = Number.NEGATIVE_INFINITY;
  let newest: Promise<T> | null = null;
  /** The next read, until it begins. */
  let waiting: Promise<T> | null = null;

  async function begin(): Promise<T> {
    // Callers of the newest read receive its error.
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

  /** Returns a result that is at most `everyMs` old, or else of the next read. @throws the error of `read`. */
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
