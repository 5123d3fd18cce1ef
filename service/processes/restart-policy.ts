/** Delays before a lost process is restarted, by losses in a row. The last one applies to all further losses. */
const DELAYS_MS = [0, 500, 1000, 2000, 4000] as const;

/** After this run time, a loss no longer counts as a repetition of the previous one. */
const STEADY_MS = 60_000;

/** Failed starts in a row after which a node without any other process gives up. */
export const FAILED_STARTS_MAX = 5;

/** Losses of one process in quick succession. */
export interface Losses {
  inRow: number;
  /** How many of the latest losses came before the process listened. */
  failedStarts: number;
}

export const NO_LOSSES: Losses = { inRow: 0, failedStarts: 0 };

/** Adds a loss. @param ranMs how long the process had listened; null if it never listened. */
export function addLoss({ inRow, failedStarts }: Losses, ranMs: number | null): Losses {
  return {
    inRow: ranMs !== null && ranMs >= STEADY_MS ? 1 : inRow + 1,
    failedStarts: ranMs === null ? failedStarts + 1 : 0,
  };
}

/** Returns the delay before the next start, in milliseconds. */
export function restartDelayMs({ inRow }: Losses): number {
  return DELAYS_MS[Math.min(Math.max(inRow, 1), DELAYS_MS.length) - 1] ?? DELAYS_MS[0];
}
