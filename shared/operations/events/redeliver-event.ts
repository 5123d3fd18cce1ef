import { leaseEnd } from '../../core/domains/lease.ts';
import { ServiceError, validationFailed } from '../../core/errors.ts';
import type { DomainId } from '../../core/ids.ts';
import { LIMITS } from '../../core/limits.ts';
import { pause } from '../../ports/pause.ts';
import type { DeliveryResource } from '../../schema/event.ts';
import { getApp } from '../../store/accounts/apps.ts';
import { findEvent, firstPendingEvent, lockEventsUnderLease } from '../../store/events/events.ts';
import { claimLane, ensureLane, holdsLane, type LeasedLane, releaseLane } from '../../store/events/lanes.ts';
import { type Answer, type Caller, type Context, transact } from '../context.ts';
import { effect } from '../domains/effect.ts';
import { spend } from '../spend.ts';
import { type Attempt, endAttempt, newAttempt, saveAttempts, sendAttempt } from './attempt.ts';
import { LANE_LEASE_MS } from './deliver-events.ts';
import { presentDelivery } from './present-event.ts';

/** Waits for a lane that another attempt holds, by polling for a little longer than an attempt can take. */
const LANE_POLL_MS = 25;
const LANE_POLLS_MAX = (LIMITS.webhook_timeout_ms + 2000) / LANE_POLL_MS;

/**
 * `docs/api.md#events`: POST /v1/events/{id}/redeliver. Claims the domain's lane, so that it never overtakes a running attempt. Sends the
 * original body, freshly signed, to the app's current URL. A 2xx marks the event as delivered and wakes the lane.
 */
export async function redeliverEvent(
  context: Context,
  caller: Caller,
  input: { params: { id: string } },
): Promise<Answer<DeliveryResource>> {
  const event = await findEvent(context.store, caller, input.params.id);
  if (event === null) throw new ServiceError('not_found');
  const app = await getApp(context.store, caller.app_id);
  if (app.webhook_url === null) {
    throw validationFailed({ path: 'webhook_url', message: 'is not set; set it first' });
  }
  await spend(context, 'redeliver', caller.app_id);
  await ensureLane(context.store, event.domain_id, event.app_id);
  const lane = await takeLane(context, event.domain_id, caller);
  try {
    return await redeliver(context, caller, lane, event.id);
  } catch (error) {
    // The lane is released while its row is locked. Otherwise an event written in between would find the lane leased, and nothing would
    // schedule its delivery.
    await transact(context, async (tx) => {
      if (await holdsLane(tx.store, lane)) await giveBack(tx, lane);
    });
    throw error;
  }
}

async function redeliver(
  context: Context,
  caller: Caller,
  lane: LeasedLane,
  eventId: string,
): Promise<Answer<DeliveryResource>> {
  const attempt = await beginRedelivery(context, caller, lane, eventId);
  const outcome = await sendAttempt(context, attempt);
  return effect(context, caller, async (tx) => {
    const event = (await lockEventsUnderLease(tx.store, [{ ...lane, event: attempt.event }])).get(
      lane.lease_id,
    );
    if (event === undefined) throw laneLost();
    const app = await getApp(tx.store, caller.app_id);
    const ended = endAttempt({ ...attempt, app, event }, outcome, tx.clock.now());
    await saveAttempts(tx, [ended]);
    await giveBack(tx, lane);
    return { status: 201, body: presentDelivery(ended.delivery) };
  });
}

/** Releases the lane for its next event. The lane's row must be locked. */
async function giveBack(context: Context, lane: LeasedLane): Promise<void> {
  const next = await firstPendingEvent(context.store, lane.domain_id);
  await releaseLane(context.store, lane, next?.next_attempt_at ?? null);
  context.notices.publish({ kind: 'work' });
}

/** Reports that this attempt took longer than the lease, so that another node took over the lane. */
function laneLost(): ServiceError {
  return new ServiceError('rate_limited', {
    message: 'The redelivery took too long and could not be recorded; the event may have been sent.',
    retry_after_s: 1,
  });
}

async function takeLane(context: Context, domainId: DomainId, caller: Caller): Promise<LeasedLane> {
  const leaseId = context.ids('lea');
  for (let polls = 0; polls < LANE_POLLS_MAX; polls++) {
    const now = context.clock.now();
    const leaseUntil = leaseEnd(context.settings, now, LANE_LEASE_MS);
    if (await claimLane(context.store, domainId, { lease_id: leaseId, lease_until: leaseUntil, now })) {
      return { domain_id: domainId, app_id: caller.app_id, lease_id: leaseId };
    }
    await pause(LANE_POLL_MS);
  }
  throw new ServiceError('rate_limited', {
    message: 'Another delivery of this domain is in progress.',
    retry_after_s: 1,
  });
}

/** Writes the delivery row for the event as it is now. Called before anything is sent. */
async function beginRedelivery(
  context: Context,
  caller: Caller,
  lane: LeasedLane,
  eventId: string,
): Promise<Attempt> {
  return transact(context, async (tx) => {
    const event = await findEvent(tx.store, caller, eventId);
    if (event === null) throw new ServiceError('not_found');
    if (!(await holdsLane(tx.store, lane))) throw laneLost();
    const app = await getApp(tx.store, caller.app_id);
    const attempt = newAttempt(tx, app, event, false);
    await saveAttempts(tx, [attempt]);
    return attempt;
  });
}
