import type { App } from '../../core/apps/app.ts';
import type { Domain } from '../../core/domains/domain.ts';
import type { Status } from '../../core/domains/status.ts';
import { timestamp } from '../../core/instant.ts';
import { NOT_ATTEMPTED } from '../../core/webhooks/delivery.ts';
import type { EventType } from '../../core/webhooks/event.ts';
import type { WebhookBody } from '../../schema/event.ts';
import { eventInsert } from '../../store/events/events.ts';
import { laneInsert, laneWaking } from '../../store/events/lanes.ts';
import type { Statement } from '../../store/run-together.ts';
import type { TxContext } from '../context.ts';
import type { CustomerAddresses } from '../domains/customer-target.ts';
import { presentDomain } from '../domains/present-domain.ts';

/**
 * Returns the statements that write an event with the exact body that will be sent, and make the domain's event queue (lane) due. They run
 * in the transaction of the change, so that a crash loses neither the change nor its event (`docs/webhooks.md`).
 * @param domain the domain after the change. Its `event_seq` and `last_event_at` are the number and the time of this event.
 */
export function eventStatements(
  tx: TxContext,
  { app: { webhook_url, webhook_epoch }, ...addresses }: CustomerAddresses & { app: App },
  domain: Domain,
  type: EventType,
  previousStatus: Status | null,
): Statement[] {
  const id = tx.ids('evt');
  const shown = presentDomain(tx, addresses, domain);
  const createdAt = domain.status_since;
  const data = { domain: shown, previous_status: previousStatus };
  const body: WebhookBody = { id, type, created_at: timestamp(createdAt), data };
  const isSent = webhook_url !== null;
  // The event is due now, even if its date is some milliseconds later. Its `seq` determines its place in the domain's event queue.
  const dueAt = tx.clock.now();
  const insert = eventInsert(tx.store, {
    id,
    domain_id: domain.id,
    app_id: domain.app_id,
    mode: shown.mode,
    seq: domain.event_seq,
    type,
    hostname: domain.hostname,
    previous_status: previousStatus,
    status: domain.status,
    created_at: createdAt,
    body: JSON.stringify(body),
    webhook_epoch,
    delivery_status: isSent ? 'pending' : 'none',
    ...NOT_ATTEMPTED,
    next_attempt_at: isSent ? dueAt : null,
  });
  // Creates the event queue (lane) even if the app has no webhook URL, because a redelivery locks the row of the queue.
  const lane = isSent
    ? laneWaking(tx.store, domain.id, domain.app_id, dueAt)
    : laneInsert(tx.store, domain.id, domain.app_id);
  return [insert, lane];
}
