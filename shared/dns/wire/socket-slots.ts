/**
 * Limits how many sockets are open at once; further requests wait. The next free slot goes to the work with the fewest open sockets. A
 * zone of a hundred silent servers, or a thousand such zones, then delays other work by at most one socket's wait.
 */
export class SocketSlots {
  #free: number;
  readonly #waiting = new Set<Waiting>();
  /** Open sockets of each piece of work, by the signal that ends it. */
  readonly #open = new Map<AbortSignal, number>();

  constructor(slotsMax: number) {
    this.#free = slotsMax;
  }

  /**
   * Waits for a slot. The caller must `release` it.
   * @param work the signal that ends the piece of work.
   * @returns false if it was aborted
   * first.
   */
  async acquire(work: AbortSignal): Promise<boolean> {
    if (work.aborted) return false;
    if (this.#free > 0) {
      this.#free -= 1;
      this.#count(work, 1);
      return true;
    }
    return new Promise((resolve) => {
      const settle = (taken: boolean) => {
        this.#waiting.delete(waiting);
        work.removeEventListener('abort', giveUp);
        if (taken) this.#count(work, 1);
        resolve(taken);
      };
      const giveUp = () => settle(false);
      const waiting: Waiting = { work, take: () => settle(true) };
      this.#waiting.add(waiting);
      work.addEventListener('abort', giveUp, { once: true });
    });
  }

  release(work: AbortSignal): void {
    this.#count(work, -1);
    const next = this.#next();
    if (next === null) this.#free += 1;
    else next.take();
  }

  /** Returns the waiting request of the work with the fewest open sockets. Of several, the one that has waited longest. */
  #next(): Waiting | null {
    let next: Waiting | null = null;
    for (const waiting of this.#waiting) {
      if (next === null || this.#openOf(waiting) < this.#openOf(next)) next = waiting;
    }
    return next;
  }

  #openOf({ work }: Waiting): number {
    return this.#open.get(work) ?? 0;
  }

  #count(work: AbortSignal, change: number): void {
    const open = (this.#open.get(work) ?? 0) + change;
    if (open === 0) this.#open.delete(work);
    else this.#open.set(work, open);
  }
}

interface Waiting {
  work: AbortSignal;
  take: () => void;
}
