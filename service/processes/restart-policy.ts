/** The delays before a lost process is restarted, by the number of losses in a row. The last delay applies to all further losses. */
const DELAYS_MS = [0, 500, 1000, 2000, 4000] as const;

/** After a process has run for this long, its next loss is the first of a new series. */
const STEADY_MS = 60_000;

/** After this number of failed starts in a row, a node without any running process gives up. */
export const FAILED_STARTS_MAX = 5;

/** How often a process was lost in quick succession. */
export interface Losses {
  inRow: number;
  /** The number of failed starts in a row, in which the process ended before it listened. */
  failedStarts: number;
}

export const NO_LOSSES: Losses = { inRow: 0, failedStarts: 0 };

/** Adds a loss of the process. @param ranMs how long the process had listened; null if it never listened. */
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
