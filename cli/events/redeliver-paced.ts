import { ApiError } from '../../shared/client/client-error.ts';
import { BUDGETS } from '../../shared/core/budgets.ts';
import type { DeliveryResource, EventResource } from '../../shared/schema/event.ts';

/**
 * The estimated use of the API's redelivery limit, from our own requests and the API's responses. Times are in milliseconds of a monotonic
 * clock.
 */
export interface PaceBudget {
  openedAtMs: number;
  used: number;
}

export const FULL_BUDGET: PaceBudget = { openedAtMs: Number.NEGATIVE_INFINITY, used: 0 };

const LIMIT = BUDGETS.redeliver.limit;
const WINDOW_MS = BUDGETS.redeliver.windowMs;
/** The longest `Retry-After` that the command waits for, in seconds. */
const RETRY_AFTER_S_MAX = 120;
/** Stop after this many rate-limited attempts. More would not help: other clients use up the limit, or the server's clock is frozen. */
const TRIES_MAX = 5;

/** Returns the number of redeliveries that the API still accepts in the current window. */
export function remainingOf({ openedAtMs, used }: PaceBudget, nowMs: number): number {
  return nowMs - openedAtMs >= WINDOW_MS ? LIMIT : Math.max(0, LIMIT - used);
}

/** Returns the budget with one more redelivery used. */
export function withUse(budget: PaceBudget, nowMs: number): PaceBudget {
  const isOpen = nowMs - budget.openedAtMs < WINDOW_MS;
  return isOpen ? { ...budget, used: budget.used + 1 } : { openedAtMs: nowMs, used: 1 };
}

/** Returns a budget with no redeliveries left until `retry_after_s` seconds have passed. */
export function exhausted(retryAfterS: number, nowMs: number): PaceBudget {
  return { openedAtMs: nowMs + retryAfterS * 1000 - WINDOW_MS, used: LIMIT };
}

export type RedeliveryStep =
  | { kind: 'sending'; event: EventResource }
  | { kind: 'answered'; event: EventResource; delivery: DeliveryResource }
  | { kind: 'waiting'; event: EventResource; waitS: number }
  | { kind: 'refused'; event: EventResource; error: unknown };

interface PaceOptions {
  redeliver(id: string): Promise<DeliveryResource>;
  pause(waitMs: number): Promise<void>;
  signal: AbortSignal;
}

/** Redelivers events one by one, as fast as the API's rate limit allows. Ends after an error that would affect all other events too. */
export async function* redeliverPaced(
  events: readonly EventResource[],
  { redeliver, pause, signal }: PaceOptions,
): AsyncGenerator<RedeliveryStep, void, undefined> {
  for (const event of events) {
    for (let tries = 1; ; tries++) {
      if (signal.aborted) return;
      yield { kind: 'sending', event };
      try {
        yield { kind: 'answered', event, delivery: await redeliver(event.id) };
        break;
      } catch (error) {
        const waitS = waitOf(error);
        if (waitS === null || tries === TRIES_MAX) {
          yield { kind: 'refused', event, error };
          if (error instanceof ApiError && error.status === 404) break;
          return;
        }
        yield { kind: 'waiting', event, waitS };
        await pause(waitS * 1000);
      }
    }
  }
}

/** Returns how many seconds to wait after a rate-limited request, or null for an error that waiting does not solve. */
function waitOf(error: unknown): number | null {
  const waitS = error instanceof ApiError && error.status === 429 ? error.retry_after_s : undefined;
  return waitS === undefined || waitS > RETRY_AFTER_S_MAX ? null : waitS;
}
