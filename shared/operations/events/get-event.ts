import { ServiceError } from '../../core/errors.ts';
import type { EventDetail } from '../../schema/event.ts';
import { listDeliveries } from '../../store/events/deliveries.ts';
import { findEvent } from '../../store/events/events.ts';
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
