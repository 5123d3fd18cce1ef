import { timestamp } from '../../core/instant.ts';
import type { Delivery, StoredEvent } from '../../core/webhooks/delivery.ts';
import type { DeliveryResource, EventResource } from '../../schema/event.ts';

/** Returns an event in the form of the API (`docs/api.md#event`). */
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

/** Returns an attempt in the form of the API (`docs/api.md#delivery`). */
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
