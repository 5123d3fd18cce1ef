import { decodeCursor, encodeCursor, type ListIdentity } from '../../core/cursor.ts';
import { ServiceError } from '../../core/errors.ts';
import type { EventDetail, EventList, ListEventsQuery } from '../../schema/event.ts';
import { listDeliveries } from '../../store/events/deliveries.ts';
import { findEvent, selectEvents } from '../../store/events/events.ts';
import type { Answer, Caller, Context } from '../context.ts';
import { presentDelivery, presentEvents } from './present-event.ts';

/** `docs/api.md#events`: GET /v1/events/{id}. Adds the event's attempts and the body that they sent (`docs/api.md#versioning`). */
export async function getEvent(
  context: Context,
  caller: Caller,
  input: { params: { id: string } },
): Promise<Answer<EventDetail>> {
  const event = await findEvent(context.store, caller, input.params.id);
  if (event === null) throw new ServiceError('not_found');
  const [shown] = await presentEvents(context.store, [event]);
  const deliveries = await listDeliveries(context.store, event.id);
  return {
    status: 200,
    body: { ...shown, deliveries: deliveries.map(presentDelivery), body: event.body },
  };
}

/** `docs/api.md#events`: GET /v1/events. Events have the mode of their domain and outlive it. */
export async function listEvents(
  context: Context,
  caller: Caller,
  input: { query: ListEventsQuery },
): Promise<Answer<EventList>> {
  const { domain_id, type, delivery, limit, cursor } = input.query;
  const identity: ListIdentity = ['events', caller.app_id, caller.mode];
  const after = cursor === undefined ? null : decodeCursor(identity, cursor);
  const page = await selectEvents(context.store, caller, { domain_id, type, delivery }, { limit, after });
  return {
    status: 200,
    body: {
      data: await presentEvents(context.store, page.rows),
      next_cursor: page.next && encodeCursor(identity, page.next),
    },
  };
}
