import type { AttemptOutcome } from '../core/delivery.ts';
import { withoutWebhookUrl } from '../core/delivery.ts';
import type { AppId } from '../core/ids.ts';
import { SECOND_MS } from '../core/instant.ts';
import { LIMITS } from '../core/limits.ts';
import { findApp } from '../store/apps.ts';
import { firstPendingEvent, updateEventDelivery } from '../store/events.ts';
import { claimLanes, holdsLane, type LeasedLane, releaseLane } from '../store/lanes.ts';
import { type Attempt, beginAttempt, recordAttempt } from './attempt.ts';
import { type Context, transact } from './context.ts';

/** Longer than an attempt can take, so that a lease runs out only when its worker is gone. */
export const LANE_LEASE_MS = LIMITS.webhook_timeout_ms + 20 * SECOND_MS;

/** A lane under lease with the attempt to make. */
export interface ClaimedLane {
  lane: LeasedLane;
  attempt: Attempt;
}

export interface LaneRoom {
  apps_max: number;
  lanes_max: number;
  after_app_id: string;
  room_of: (app_id: AppId) => number;
}

/** Claims due lanes and writes the attempts' delivery rows, in one short transaction. */
export async function claimDueLanes(context: Context, room: LaneRoom): Promise<ClaimedLane[]> {
  return transact(context, async (tx) => {
    const now = tx.clock.now();
    const leased = await claimLanes(tx.store, {
      ...room,
      now,
      lease_until: now + LANE_LEASE_MS,
      make_lease_id: () => tx.ids('lea'),
    });
    const claimed: ClaimedLane[] = [];
    for (const lane of leased) {
      const attempt = await nextAttempt(tx, lane);
      if (attempt !== null) claimed.push({ lane, attempt });
    }
    return claimed;
  });
}

export interface FinishedAttempt extends ClaimedLane {
  outcome: AttemptOutcome;
  /** False while shutting down: the lane is given back even where more is due. */
  go_on: boolean;
}

/**
 * Records outcomes in one transaction, each guarded by its lane's lease: a worker that lost it changes nothing.
 * @returns the lanes' next attempts, where the next event is due already: the lease goes on.
 */
export async function recordFinished(
  context: Context,
  finished: readonly FinishedAttempt[],
): Promise<(ClaimedLane | null)[]> {
  return transact(context, async (tx) => {
    const next: (ClaimedLane | null)[] = [];
    for (const { lane, attempt, outcome, go_on } of finished) {
      if (!(await holdsLane(tx.store, lane))) {
        tx.log.warn(
          { delivery_id: attempt.delivery.id },
          'the lease of a lane was lost; its outcome is not recorded',
        );
        next.push(null);
        continue;
      }
      await recordAttempt(tx, attempt, outcome);
      const following = await nextAttempt(tx, lane, go_on);
      next.push(following === null ? null : { lane, attempt: following });
    }
    return next;
  });
}

/** The lane's next attempt if it is due; otherwise the lane is given back until it is. */
async function nextAttempt(tx: Context, lane: LeasedLane, go_on = true): Promise<Attempt | null> {
  const app = await findApp(tx.store, lane.app_id);
  for (;;) {
    const event = await firstPendingEvent(tx.store, lane.domain_id);
    if (event !== null && app?.webhook_url == null) {
      await updateEventDelivery(tx.store, event.id, withoutWebhookUrl(event));
      continue;
    }
    const due_at = event?.next_attempt_at ?? null;
    if (event === null || due_at === null || due_at > tx.clock.now() || !go_on) {
      await releaseLane(tx.store, lane, due_at);
      return null;
    }
    return beginAttempt(tx, event, true);
  }
}
