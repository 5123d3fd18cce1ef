import { DAY_MS, type Instant } from '../instant.ts';

/** A step after a failed payment: a mail, or the suspension of the account with a mail. */
export interface DunningStep {
  afterMs: number;
  suspends: boolean;
}

/** How long a payment may fail before the account is suspended. */
export const DUNNING_MS = 7 * DAY_MS;

/** The steps after a failed payment, in order. */
export const DUNNING: readonly DunningStep[] = [
  { afterMs: 0, suspends: false },
  { afterMs: 3 * DAY_MS, suspends: false },
  { afterMs: 6 * DAY_MS, suspends: false },
  { afterMs: DUNNING_MS, suspends: true },
];

export interface DunningState {
  payment_failed_at: Instant;
  /** The number of steps taken so far. */
  dunning_steps: number;
}

/** Returns when the next step is due, or null if there is none. */
export function nextDunningAt({ payment_failed_at, dunning_steps }: DunningState): Instant | null {
  const step = DUNNING[dunning_steps];
  return step === undefined ? null : payment_failed_at + step.afterMs;
}
