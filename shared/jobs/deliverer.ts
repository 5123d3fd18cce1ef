import type { AppId } from '../core/ids.ts';
import type { AttemptOutcome } from '../core/webhooks/delivery.ts';
import type { Context } from '../operations/context.ts';
import { sendAttempt } from '../operations/events/attempt.ts';
import {
  type ClaimedLane,
  claimDueLanes,
  type FinishedAttempt,
  recordFinished,
} from '../operations/events/deliver-events.ts';
import { isStoreUnavailable } from '../store/unavailable.ts';
import { createGroupCommit } from './group-commit.ts';
import { InFlight, type InFlightLimits } from './in-flight.ts';

export interface DelivererEvents {
  /** There is room for another attempt. */
  on_room: () => void;
  on_attempt?: (outcome: AttemptOutcome) => void;
}

export interface Deliverer {
  /** Starts what is due and there is room for. @returns how many lanes were claimed. */
  claim(): Promise<number>;
  /** Resolves when nothing is in flight. */
  idle(): Promise<void>;
  /** Claims nothing more; lanes under way are given back after their attempt. */
  drain(): Promise<void>;
}

/** Delivers the events of due lanes: one attempt at a time in a lane, many lanes side by side (`docs/webhooks.md`). */
export function createDeliverer(
  context: Context,
  limits: InFlightLimits,
  { on_room, on_attempt }: DelivererEvents,
): Deliverer {
  const in_flight = new InFlight(limits);
  const running = new Set<Promise<void>>();
  const record = createGroupCommit<FinishedAttempt, ClaimedLane | null>(
    (items) => recordFinished(context, items),
    {
      // While the database works on one batch, the next is made. Where there is one writer it would only wait.
      parallel: context.store.flags.row_locks ? 2 : 1,
      // A row that the database refuses is one app's; the others' outcomes are recorded without it.
      splits: (error) => !isStoreUnavailable(error),
    },
  );
  let draining = false;
  let last_app_id = '';

  /** Reckons with what each app that was asked about may claim now as if it had. */
  function shareOut(): (app_id: AppId) => number {
    const shares = in_flight.copy();
    return (app_id) => {
      const room = shares.room(app_id);
      shares.add(app_id, room);
      return room;
    };
  }

  async function work(first: ClaimedLane): Promise<void> {
    const { app_id, domain_id } = first.lane;
    let claimed = first;
    in_flight.add(app_id, 1);
    try {
      for (;;) {
        const outcome = await sendAttempt(context, claimed.attempt);
        on_attempt?.(outcome);
        const next = await record({ ...claimed, outcome, go_on: !draining });
        if (next === null) return;
        claimed = next;
      }
    } catch (error) {
      // The lease runs out and the lane is taken over, under the same delivery id.
      const { event_id, id: delivery_id } = claimed.attempt.delivery;
      context.log.error({ error, domain_id, event_id, delivery_id }, 'a delivery could not be recorded');
    } finally {
      in_flight.add(app_id, -1);
    }
  }

  return {
    async claim() {
      const lanes_max = in_flight.room(null);
      if (draining || lanes_max === 0) return 0;
      const claimed = await claimDueLanes(context, {
        // Those with something in flight may have no room for more, and must not hide the others.
        apps_max: lanes_max + in_flight.apps.length,
        lanes_max,
        after_app_id: last_app_id,
        share_out: shareOut,
      });
      for (const lane of claimed) {
        last_app_id = lane.lane.app_id;
        const done = work(lane).finally(() => {
          running.delete(done);
          on_room();
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
