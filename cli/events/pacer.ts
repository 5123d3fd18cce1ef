/** Pauses that another part of the program can end early. */
export interface Pacer {
  pause(waitMs: number): Promise<void>;
  /** Ends all current pauses. */
  hurry(): void;
  /** Ends all current pauses, makes later pauses end immediately, and aborts the signal. */
  stop(): void;
  signal: AbortSignal;
}

export function createPacer(): Pacer {
  const ended = new AbortController();
  const waiting = new Set<() => void>();
  const hurry = () => {
    for (const end of waiting) end();
  };
  return {
    signal: ended.signal,
    hurry,
    stop() {
      ended.abort();
      hurry();
    },
    pause(waitMs) {
      if (ended.signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          waiting.delete(end);
          resolve();
        };
        const timer = setTimeout(end, waitMs);
        waiting.add(end);
      });
    },
  };
}
