/** A wait in real time that can be cut short. The runner of due work sleeps on it between rounds. */
export interface Alarm {
  /** Resolves after this many milliseconds, or as soon as it rings. Resolves at once if it has rung since the last wait. */
  wait(durationMs: number): Promise<void>;
  ring(): void;
}

export function createAlarm(): Alarm {
  let rung = false;
  let end: (() => void) | null = null;
  return {
    async wait(durationMs) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, durationMs);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      end = null;
      rung = false;
    },
    ring() {
      rung = true;
      end?.();
    },
  };
}
