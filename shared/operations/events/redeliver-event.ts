import { ServiceError, validationFailed } from '../../core/errors.ts';
import type { StoredEvent } from '../../core/webhooks/delivery.ts';
import type { DeliveryResource } from '../../schema/event.ts';
import { getApp } from '../../store/accounts/apps.ts';
import { findEvent, firstPendingEvents } from '../../store/events/events.ts';
import { lockLane, rescheduleFreeLane } from '../../store/events/lanes.ts';
import { runTogether } from '../../store/run-together.ts';
import { type Answer, type Caller, type Context, type TxContext, transact } from '../context.ts';
import { effect } from '../domains/effect.ts';
import { spend } from '../spend.ts';
import { type Attempt, attemptsWrite, endAttempt, newAttempt, sendAttempt } from './attempt.ts';
import { presentDelivery } from './present-event.ts';

/**
 * `docs/api.md#events`: POST /v1/events/{id}/redeliver. Sends the original body at once, freshly signed, to the app's current URL, even
 * while another attempt of the domain runs (`decisions/0084`). If the receiver responds with 2xx, the event is delivered, and the domain's
 * next event becomes due.
 */
export async function redeliverEvent(
  context: Context,
  caller: Caller,
  { params }: { params: { id: string } },
): Promise<Answer<DeliveryResource>> {
  const event = await findEvent(context.store, caller, params.id);
  if (event === null) throw new ServiceError('not_found');
  const attempt = await beginRedelivery(context, caller, event);
  const outcome = await sendAttempt(context, attempt);
  return effect(context, caller, async (tx) => {
    const ended = endAttempt(
      { ...attempt, ...(await lockEvent(tx, caller, event)) },
      outcome,
      tx.clock.now(),
    );
    await runTogether(tx.store, ...attemptsWrite(tx.store, [ended]));
    const { domain_id } = event;
    const lane = { domain_id, after_seq: 0, from_epoch: ended.app.webhook_epoch };
    const next = (await firstPendingEvents(tx.store, [lane])).get(domain_id);
    await rescheduleFreeLane(tx.store, domain_id, next?.next_attempt_at ?? null);
    tx.notices.publish({ kind: 'work' });
    return { status: 201, body: presentDelivery(ended.delivery) };
  });
}

/** Writes the delivery row before anything is sent, and counts the redelivery for the app's rate limit. */
async function beginRedelivery(context: Context, caller: Caller, event: StoredEvent): Promise<Attempt> {
  return transact(context, async (tx) => {
    const locked = await lockEvent(tx, caller, event);
    if (locked.app.webhook_url === null) {
      throw validationFailed({ path: 'webhook_url', message: 'is not set; set it first' });
    }
    await spend(tx, 'redeliver', caller.app_id);
    const attempt = newAttempt(tx, locked.app, locked.event, false);
    await runTogether(tx.store, ...attemptsWrite(tx.store, [attempt]));
    return attempt;
  });
}

/**
 * Locks the domain's event queue, so that no other attempt begins or ends meanwhile. Returns the event and its app as they are stored now.
 */
async function lockEvent(
  tx: TxContext,
  caller: Caller,
  { id, domain_id, app_id }: StoredEvent,
): Promise<Pick<Attempt, 'app' | 'event'>> {
  await lockLane(tx.store, domain_id, app_id);
  const event = await findEvent(tx.store, caller, id);
  if (event === null) throw new ServiceError('not_found');
  return { event, app: await getApp(tx.store, app_id) };
}
