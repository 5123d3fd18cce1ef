import type { WebhookApp } from '../../core/apps/app.ts';
import { decodeCursor, encodeCursor, type ListIdentity } from '../../core/cursor.ts';
import { ServiceError } from '../../core/errors.ts';
import type { AppId } from '../../core/ids.ts';
import { timestamp } from '../../core/instant.ts';
import {
  type Delivery,
  isCancelled,
  type StoredEvent,
  withoutWebhookUrl,
} from '../../core/webhooks/delivery.ts';
import type {
  DeliveryResource,
  EventDetail,
  EventList,
  EventResource,
  ListEventsQuery,
} from '../../schema/event.ts';
import { getWebhookApps } from '../../store/accounts/apps.ts';
import { listDeliveries } from '../../store/events/deliveries.ts';
import { findEvent, firstPendingEvents, selectEvents } from '../../store/events/events.ts';
import type { Store } from '../../store/store.ts';
import type { Answer, Caller, Context } from '../context.ts';

/** Returns the JSON of an event (`docs/api.md#event`). */
export function presentEvent(event: StoredEvent): EventResource {
  return {
    id: event.id,
    type: event.type,
    domain_id: event.domain_id,
    hostname: event.hostname,
    previous_status: event.previous_status,
    status: event.status,
    created_at: timestamp(event.created_at),
    delivery: {
      status: event.delivery_status,
      attempts: event.attempts,
      last_status_code: event.last_status_code,
      last_error: event.last_error,
      last_attempt_at: timestamp(event.last_attempt_at),
      next_attempt_at: timestamp(event.next_attempt_at),
    },
  };
}

/**
 * Returns the JSON of events. An event that waits for an earlier event of its domain has no time for an attempt yet, so its
 * `next_attempt_at` is null (`docs/webhooks.md#order`).
 */
export async function presentEvents<const T extends readonly StoredEvent[]>(
  store: Store,
  events: T,
): Promise<{ [K in keyof T]: EventResource }> {
  const appIds = events.flatMap(({ delivery_status, app_id }) =>
    delivery_status === 'pending' ? app_id : [],
  );
  const apps = appIds.length === 0 ? new Map<AppId, WebhookApp>() : await getWebhookApps(store, appIds);
  const epochOf = ({ app_id }: StoredEvent) => apps.get(app_id)?.webhook_epoch ?? 0;
  const current = events.map((event) =>
    isCancelled(event, { webhook_epoch: epochOf(event) }) ? { ...event, ...withoutWebhookUrl(event) } : event,
  );
  // Only the first pending event of a domain has automatic attempts, so the others wait.
  const untried = current.filter(
    ({ delivery_status, tries }) => delivery_status === 'pending' && tries === 0,
  );
  const lanes = new Map(
    untried.map((event) => [
      event.domain_id,
      { domain_id: event.domain_id, after_seq: 0, from_epoch: epochOf(event) },
    ]),
  );
  const heads = await firstPendingEvents(store, [...lanes.values()]);
  const shown = current.map((event) => {
    const isQueued = event.seq > (heads.get(event.domain_id)?.seq ?? event.seq);
    return presentEvent(isQueued ? { ...event, next_attempt_at: null } : event);
  });
  return shown as { [K in keyof T]: EventResource };
}

/** Returns the JSON of a delivery attempt (`docs/api.md#delivery`). */
export function presentDelivery(delivery: Delivery): DeliveryResource {
  return {
    id: delivery.id,
    event_id: delivery.event_id,
    attempt: delivery.attempt,
    status_code: delivery.status_code,
    response_ms: delivery.response_ms,
    error: delivery.error,
    delivered_at: timestamp(delivery.delivered_at),
    next_attempt_at: timestamp(delivery.next_attempt_at),
    created_at: timestamp(delivery.created_at),
    response_headers: delivery.response_headers,
    response_body: delivery.response_body,
  };
}

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

/** `docs/api.md#events`: GET /v1/events. Events have the mode of their domain, and remain after the domain is deleted. */
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
