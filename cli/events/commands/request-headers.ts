import { serviceNames } from '../../../shared/core/service-name.ts';
import type { EventDetail } from '../../../shared/schema/event.ts';

export interface RequestHeader {
  name: string;
  value: string;
}

/**
 * Returns the headers of the requests that delivered an event, without the signatures. The service stores no request headers, because they
 * follow from the event and the attempt (`docs/webhooks.md`). @param deliveryId null leaves out the header of the attempt.
 */
export function requestHeaders({ id }: Pick<EventDetail, 'id'>, deliveryId: string | null): RequestHeader[] {
  const names = serviceNames('Service');
  return [
    { name: 'Content-Type', value: 'application/json' },
    { name: 'User-Agent', value: names.webhook_user_agent },
    { name: names.event_id_header, value: id },
    ...(deliveryId === null ? [] : [{ name: names.delivery_id_header, value: deliveryId }]),
    { name: 'webhook-id', value: id },
  ];
}
