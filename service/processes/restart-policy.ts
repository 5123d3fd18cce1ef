/** Delays before a lost process is restarted, by number of losses in a row. The last delay applies to all further losses. */
const DELAYS_MS = [0, 500, 1000, 2000, 4000] as const;

/** A loss after this run time starts a new row of losses. */
const STEADY_MS = 60_000;

/** Failed starts in a row after which a node without another running process gives up. */
export const FAILED_STARTS_MAX = 5;

/** Losses of one process in quick succession. */
export interface Losses {
  inRow: number;
  /** Number of consecutive losses before the process listened. */
  failedStarts: number;
}

export const NO_LOSSES: Losses = { inRow: 0, failedStarts: 0 };

/** Returns the losses with one more. @param ranMs how long the process had listened; null if it never listened. */
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
