/** Waits before a lost process is started again, by how many were lost in a row. The last one stands for all further losses. */
const DELAYS_MS = [0, 500, 1000, 2000, 4000] as const;

/** A process that has run for this long was not lost to the same fault as the one before it. */
const STEADY_MS = 60_000;

/** Failed starts in a row after which a node without any other process gives up. */
export const FAILED_STARTS_MAX = 5;

/** Losses of one process of a node, each soon after the one before. */
export interface Losses {
  inRow: number;
  /** How many of the last of them never got as far as to listen. */
  failedStarts: number;
}

export const NO_LOSSES: Losses = { inRow: 0, failedStarts: 0 };

/** Adds a loss. @param ranMs how long the process had listened; null if it never did. */
export function addLoss({ inRow, failedStarts }: Losses, ranMs: number | null): Losses {
  return {
    inRow: ranMs !== null && ranMs >= STEADY_MS ? 1 : inRow + 1,
    failedStarts: ranMs === null ? failedStarts + 1 : 0,
  };
}

/** Returns how long to wait before the next start. */
export function restartDelayMs({ inRow }: Losses): number {
  return DELAYS_MS[Math.min(Math.max(inRow, 1), DELAYS_MS.length) - 1] ?? DELAYS_MS[0];
}
