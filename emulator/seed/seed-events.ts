import type { App } from '../../shared/core/apps/app.ts';
import { validationFailed } from '../../shared/core/errors.ts';
import type { DomainId, EventId } from '../../shared/core/ids.ts';
import { ATTEMPTS_MAX, NOT_ATTEMPTED, type StoredEvent } from '../../shared/core/webhooks/delivery.ts';
import type { EventType } from '../../shared/core/webhooks/event.ts';
import type { TxContext } from '../../shared/operations/context.ts';
import { attemptsWrite, endAttempt, newAttempt } from '../../shared/operations/events/attempt.ts';
import { eventDeliveriesUpdate, getEventById } from '../../shared/store/events/events.ts';
import { laneWaking } from '../../shared/store/events/lanes.ts';
import { runTogether } from '../../shared/store/run-together.ts';
import type { EventSeed } from './seed-schema.ts';

/** Returns the highest sequence number of a domain's events; 0 if it has none. */
export async function lastSeq(tx: TxContext, domainId: DomainId): Promise<number> {
  const row = await tx.store.db
    .selectFrom('events')
    .select('seq')
    .where('domain_id', '=', domainId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.seq ?? 0;
}

export async function countEvents(tx: TxContext, domainId: DomainId, type: EventType): Promise<number> {
  return (await eventIds(tx, domainId, type)).length;
}

/** Prevents the delivery of a domain's events after `seq`, because a seed records events without sending them. */
export async function silenceSince(tx: TxContext, domainId: DomainId, seq: number): Promise<void> {
  await tx.store.db
    .updateTable('events')
    .set({ delivery_status: 'none', next_attempt_at: null })
    .where('domain_id', '=', domainId)
    .where('seq', '>', seq)
    .execute();
}

/**
 * Gives a domain's event the delivery that the seed describes.
 * @param index the event's position among the domain's events of this type, from 0.
 * @throws ServiceError `validation_failed` for an impossible delivery.
 */
export async function seedDelivery(
  tx: TxContext,
  app: App,
  domainId: DomainId,
  seed: EventSeed,
  index: number,
): Promise<void> {
  const id = (await eventIds(tx, domainId, seed.type))[index];
  if (id === undefined) throw new TypeError(`the event ${seed.type} was written but cannot be found`);
  const { delivery } = seed;
  if (delivery === undefined) return;
  const event = await getEventById(tx.store, id);
  const plan = planOf({ ...seed, delivery }, app);
  const isSo = delivery === 'pending' ? event.delivery_status !== 'none' : event.delivery_status === delivery;
  if (isSo && event.attempts >= plan.length) return;
  await tx.store.db.deleteFrom('deliveries').where('event_id', '=', id).execute();
  let fresh: StoredEvent = { ...event, ...NOT_ATTEMPTED, delivery_status: delivery, next_attempt_at: null };
  for (const statusCode of plan) {
    const begun = newAttempt(tx, app, { ...fresh, delivery_status: 'pending' }, true);
    const ended = endAttempt(begun, { status_code: statusCode, error: null, response_ms: 1 }, tx.clock.now());
    await runTogether(tx.store, ...attemptsWrite(tx.store, [ended]));
    fresh = ended.event;
  }
  if (delivery === 'pending') {
    const dueAt = fresh.next_attempt_at ?? tx.clock.now();
    fresh = { ...fresh, next_attempt_at: dueAt };
    await runTogether(tx.store, laneWaking(tx.store, domainId, app.id, dueAt));
  }
  await runTogether(tx.store, ...eventDeliveriesUpdate(tx.store, [fresh]));
}

/** Returns the status code of the receiver's response to each attempt. */
function planOf({ delivery, attempts, status_code }: Delivered, app: App): number[] {
  const made = attempts ?? USUAL_ATTEMPTS[delivery];
  if (delivery === 'delivered' && made < 1)
    throw wrong('attempts', 'must be 1 or more, since the last attempt succeeded');
  if (delivery === 'failed' && made < ATTEMPTS_MAX)
    throw wrong('attempts', `must be ${ATTEMPTS_MAX}, since a delivery fails after its last retry`);
  if (delivery === 'pending' && made >= ATTEMPTS_MAX)
    throw wrong(
      'attempts',
      `must be ${ATTEMPTS_MAX - 1} or fewer, since a delivery fails after ${ATTEMPTS_MAX} attempts`,
    );
  if (delivery === 'pending' && app.webhook_url === null)
    throw wrong(
      'delivery',
      'needs the webhook_url of its app; set it in app or apps, or start with --webhook',
    );
  const arrived = delivery === 'delivered';
  const last = status_code ?? (arrived ? 200 : 500);
  if (arrived !== (last >= 200 && last < 300))
    throw wrong('status_code', arrived ? 'must be from 200 to 299' : 'must not be from 200 to 299');
  return Array.from({ length: made }, (_, index) => (index === made - 1 ? last : 500));
}

type Delivered = EventSeed & { delivery: NonNullable<EventSeed['delivery']> };

const USUAL_ATTEMPTS: Record<Delivered['delivery'], number> = {
  pending: 0,
  delivered: 1,
  failed: ATTEMPTS_MAX,
};

function wrong(path: string, message: string) {
  return validationFailed({ path, message });
}

async function eventIds(tx: TxContext, domainId: DomainId, type: EventType): Promise<EventId[]> {
  const rows = await tx.store.db
    .selectFrom('events')
    .select('id')
    .where('domain_id', '=', domainId)
    .where('type', '=', type)
    .orderBy('seq', 'asc')
    .execute();
  return rows.map(({ id }) => id);
}
