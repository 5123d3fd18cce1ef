import { ApiError } from '../../shared/client/client-error.ts';
import { LIMITS } from '../../shared/core/limits.ts';
import type { DeliveryResource, EventResource } from '../../shared/schema/event.ts';

/** What is known of the limit of redeliveries: ours of the minute, and what the API says. Times are of `elapsed_ms`. */
export interface Budget {
  opened_at_ms: number;
  used: number;
}

export const FULL_BUDGET: Budget = { opened_at_ms: Number.NEGATIVE_INFINITY, used: 0 };

const LIMIT = LIMITS.redeliver_per_window;
const WINDOW_MS = LIMITS.redeliver_window_ms;
/** Waits beyond this are not a pace any more. */
const RETRY_AFTER_S_MAX = 120;
/** A limit that is still used up then is not ours to wait for: others use it up, or the server's clock stands still. */
const TRIES_MAX = 5;

export function leftOf({ opened_at_ms, used }: Budget, now_ms: number): number {
  return now_ms - opened_at_ms >= WINDOW_MS ? LIMIT : Math.max(0, LIMIT - used);
}

export function withUse(budget: Budget, now_ms: number): Budget {
  const is_open = now_ms - budget.opened_at_ms < WINDOW_MS;
  return is_open ? { ...budget, used: budget.used + 1 } : { opened_at_ms: now_ms, used: 1 };
}

/** The API has refused until then. */
export function usedUp(retry_after_s: number, now_ms: number): Budget {
  return { opened_at_ms: now_ms + retry_after_s * 1000 - WINDOW_MS, used: LIMIT };
}

export type RedeliveryStep =
  | { kind: 'sending'; event: EventResource }
  | { kind: 'answered'; event: EventResource; delivery: DeliveryResource }
  | { kind: 'waiting'; event: EventResource; wait_s: number }
  | { kind: 'refused'; event: EventResource; error: unknown };

interface PaceOptions {
  redeliver(id: string): Promise<DeliveryResource>;
  pause(wait_ms: number): Promise<void>;
  signal: AbortSignal;
}

/** Redelivers events one after the other, as fast as the limit lets it. Ends after what would refuse all others too. */
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
        const wait_s = waitOf(error);
        if (wait_s === null || tries === TRIES_MAX) {
          yield { kind: 'refused', event, error };
          if (error instanceof ApiError && error.status === 404) break;
          return;
        }
        yield { kind: 'waiting', event, wait_s };
        await pause(wait_s * 1000);
      }
    }
  }
}

/** Seconds that the limit asks to wait; null for what waiting does not help. */
function waitOf(error: unknown): number | null {
  const wait_s = error instanceof ApiError && error.status === 429 ? error.retry_after_s : undefined;
  return wait_s === undefined || wait_s > RETRY_AFTER_S_MAX ? null : wait_s;
}
