/** Pauses that can be cut short, and that end when all of it ends. */
export interface Pacer {
  pause(wait_ms: number): Promise<void>;
  /** Ends the pauses of now. */
  hurry(): void;
  /** Ends all pauses, those to come as well. */
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
    pause(wait_ms) {
      if (ended.signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          waiting.delete(end);
          resolve();
        };
        const timer = setTimeout(end, wait_ms);
        waiting.add(end);
      });
    },
  };
}
