import type { App } from '../core/app.ts';
import type { AttemptOutcome } from '../core/delivery.ts';
import { withoutWebhookUrl } from '../core/delivery.ts';
import type { AppId } from '../core/ids.ts';
import { type Instant, SECOND_MS } from '../core/instant.ts';
import { LIMITS } from '../core/limits.ts';
import { getApp } from '../store/apps.ts';
import { firstPendingEvent, updateEventDelivery } from '../store/events.ts';
import { claimLanes, holdsLane, type LeasedLane, releaseLane } from '../store/lanes.ts';
import { type Attempt, beginAttempt, recordAttempt } from './attempt.ts';
import { type Context, transact } from './context.ts';

/** Longer than an attempt can take, so that a lease runs out only when its worker is gone. */
export const LANE_LEASE_MS = LIMITS.webhook_timeout_ms + 20 * SECOND_MS;
/** What an attempt takes at the most, recording it included. */
const ATTEMPT_MS_MAX = LIMITS.webhook_timeout_ms + 2 * SECOND_MS;

/** A lane under lease with the attempt to make. */
export interface ClaimedLane {
  lane: LeasedLane;
  lease_until: Instant;
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
    const lease_until = now + LANE_LEASE_MS;
    const leased = await claimLanes(tx.store, {
      ...room,
      now,
      lease_until,
      make_lease_id: () => tx.ids('lea'),
    });
    const claimed: ClaimedLane[] = [];
    for (const lane of leased) {
      const attempt = await nextAttempt(tx, await getApp(tx.store, lane.app_id), lane, true);
      if (attempt !== null) claimed.push({ lane, lease_until, attempt });
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
    for (const { lane, lease_until, attempt, outcome, go_on } of finished) {
      if (!(await holdsLane(tx.store, lane))) {
        tx.log.warn(
          { delivery_id: attempt.delivery.id },
          'the lease of a lane was lost; its outcome is not recorded',
        );
        next.push(null);
        continue;
      }
      const app = await getApp(tx.store, lane.app_id);
      await recordAttempt(tx, app, attempt, outcome);
      // A lease that another attempt could outlast is not used for it: the lane is given back and claimed anew.
      const lasts = tx.clock.now() + ATTEMPT_MS_MAX <= lease_until;
      const following = await nextAttempt(tx, app, lane, go_on && lasts);
      next.push(following === null ? null : { lane, lease_until, attempt: following });
    }
    return next;
  });
}

/** The lane's next attempt if it is due; otherwise the lane is given back until it is. */
async function nextAttempt(tx: Context, app: App, lane: LeasedLane, go_on: boolean): Promise<Attempt | null> {
  for (;;) {
    const event = await firstPendingEvent(tx.store, lane.domain_id);
    if (event !== null && app.webhook_url === null) {
      await updateEventDelivery(tx.store, event.id, withoutWebhookUrl(event));
      continue;
    }
    const due_at = event?.next_attempt_at ?? null;
    if (event === null || due_at === null || due_at > tx.clock.now() || !go_on) {
      await releaseLane(tx.store, lane, due_at);
      return null;
    }
    return beginAttempt(tx, app, event, true);
  }
}
