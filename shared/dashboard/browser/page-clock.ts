import { createSharedValue, useSharedValue } from './shared-value.ts';

/** The server's time in the latest response. */
interface PageClock {
  /** Milliseconds since the epoch. */
  atMs: number;
  /** The time of the response, as `performance.now()`. */
  heardAtMs: number;
  /** False while the emulator's clock is frozen. */
  runs: boolean;
}

const clock = createSharedValue<PageClock | null>(null);

export function setPageClock(atMs: number, runs: boolean): void {
  clock.set({ atMs, runs, heardAtMs: performance.now() });
}

function usePageClock(): PageClock | null {
  return useSharedValue(clock);
}

/** Returns the server's time in milliseconds; null until it is known. */
export function serverNow(): number | null {
  const heard = clock.get();
  if (heard === null) return null;
  return heard.atMs + (heard.runs ? performance.now() - heard.heardAtMs : 0);
}
