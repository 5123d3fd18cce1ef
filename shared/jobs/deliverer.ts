import type { AttemptOutcome } from '../core/webhooks/delivery.ts';
import type { Context } from '../operations/context.ts';
import { sendAttempt } from '../operations/events/attempt.ts';
import {
  type ClaimedLane,
  claimDueLanes,
  type FinishedAttempt,
  recordFinished,
} from '../operations/events/deliver-events.ts';
import type { DueApp } from '../store/due-apps.ts';
import { isStoreUnavailable } from '../store/unavailable.ts';
import { createGroupCommit } from './group-commit.ts';
import { InFlight, type InFlightLimits } from './in-flight.ts';

export interface DelivererEvents {
  /** Called when there is capacity for another attempt. */
  onRoom: () => void;
  onAttempt?: (outcome: AttemptOutcome) => void;
}

export interface Deliverer {
  /** Starts due deliveries up to the limits. @returns how many lanes it claimed. */
  claim(): Promise<number>;
  /** Resolves when no attempt is running. */
  idle(): Promise<void>;
  /** Stops claiming. Lanes in progress are released after their current attempt. */
  drain(): Promise<void>;
}

/** Delivers the events of due lanes: one attempt at a time per lane, many lanes in parallel (`docs/webhooks.md`). */
export function createDeliverer(
  context: Context,
  limits: InFlightLimits,
  { onRoom, onAttempt }: DelivererEvents,
): Deliverer {
  const inFlight = new InFlight(limits);
  const running = new Set<Promise<void>>();
  const record = createGroupCommit<FinishedAttempt, ClaimedLane | null>(
    (items) => recordFinished(context, items),
    {
      // While the database writes one batch, the next one can form. On a database with a single writer, a second flush would only wait.
      parallel: context.store.flags.rowLocks ? 2 : 1,
      // If the database refuses a row, only that app's outcome fails. The others are recorded without it.
      splits: (error) => !isStoreUnavailable(error),
    },
  );
  let draining = false;
  let lastAppId = '';

  /** Returns a function that says how many lanes of an app may be claimed. It treats lanes that it has granted as claimed. */
  function shareOut(): (app: DueApp) => number {
    const shares = inFlight.copy();
    return ({ account_id }) => {
      const room = shares.room(account_id);
      shares.add(account_id, room);
      return room;
    };
  }

  async function work(first: ClaimedLane): Promise<void> {
    const { account_id, domain_id } = first.lane;
    let claimed = first;
    inFlight.add(account_id, 1);
    try {
      for (;;) {
        const outcome = await sendAttempt(context, claimed.attempt);
        onAttempt?.(outcome);
        const next = await record({ ...claimed, outcome, goOn: !draining });
        if (next === null) return;
        claimed = next;
      }
    } catch (error) {
      // The lease runs out. Another worker then claims the lane and uses the same delivery id again.
      const { event_id, id: deliveryId } = claimed.attempt.delivery;
      context.log.error(
        { error, domain_id, event_id, delivery_id: deliveryId },
        'a delivery could not be recorded',
      );
    } finally {
      inFlight.add(account_id, -1);
    }
  }

  return {
    async claim() {
      const lanesMax = inFlight.room(null);
      if (draining || lanesMax === 0) return 0;
      const claimed = await claimDueLanes(context, {
        appsMax: lanesMax,
        fullAccounts: inFlight.full,
        lanesMax,
        afterAppId: lastAppId,
        shareOut,
      });
      for (const lane of claimed) {
        lastAppId = lane.lane.app_id;
        const done = work(lane).finally(() => {
          running.delete(done);
          onRoom();
        });
        running.add(done);
      }
      return claimed.length;
    },
    async idle() {
      while (running.size > 0) await Promise.race(running);
    },
    async drain() {
      draining = true;
      await this.idle();
    },
  };
}
