/** How many sockets may be open at once: who finds none free waits for its turn. */
export class SocketSlots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(slots_max: number) {
    this.#free = slots_max;
  }

  /** @returns false where the signal came first; otherwise the slot is the caller's until `release`. */
  async acquire(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.#free > 0) {
      this.#free -= 1;
      return true;
    }
    return new Promise((resolve) => {
      const settle = (taken: boolean) => {
        this.#waiting.delete(take);
        signal.removeEventListener('abort', give_up);
        resolve(taken);
      };
      const take = () => settle(true);
      const give_up = () => settle(false);
      this.#waiting.add(take);
      signal.addEventListener('abort', give_up, { once: true });
    });
  }

  release(): void {
    const [next] = this.#waiting;
    if (next) next();
    else this.#free += 1;
  }
}
