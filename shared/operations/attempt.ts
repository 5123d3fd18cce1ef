import type { App } from '../core/app.ts';
import {
  type AttemptOutcome,
  afterAttempt,
  type Delivery,
  type StoredEvent,
  withoutWebhookUrl,
} from '../core/delivery.ts';
import { LIMITS } from '../core/limits.ts';
import { signWebhook, standardWebhookSignature } from '../core/signature.ts';
import { findUnfinishedDelivery, finishDelivery, insertDelivery } from '../store/deliveries.ts';
import { getEvent, updateEventDelivery } from '../store/events.ts';
import type { Context } from './context.ts';
import { openSigningSecrets } from './signing-secrets.ts';

/** One attempt to deliver an event, claimed: its delivery row is written, its lane leased. */
export interface Attempt {
  app: App;
  event: StoredEvent;
  delivery: Delivery;
}

/**
 * Writes the delivery row of the next attempt, in the transaction of the claim, so that a lane that is taken over after a crash
 * sends again under the same delivery id and attempt (`webhooks.md`, Claim).
 */
export async function beginAttempt(
  tx: Context,
  app: App,
  event: StoredEvent,
  automatic: boolean,
): Promise<Attempt> {
  const left = automatic && event.attempts > 0 ? await findUnfinishedDelivery(tx.store, event.id) : null;
  if (left !== null) return { app, event, delivery: left };
  const now = tx.clock.now();
  const delivery: Delivery = {
    id: tx.ids('dlv'),
    event_id: event.id,
    app_id: event.app_id,
    attempt: event.attempts + 1,
    automatic,
    finished: false,
    status_code: null,
    response_ms: null,
    error: null,
    delivered_at: null,
    next_attempt_at: null,
    created_at: now,
  };
  const change = {
    attempts: delivery.attempt,
    tries: event.tries + (automatic ? 1 : 0),
    first_attempt_at: automatic ? (event.first_attempt_at ?? now) : event.first_attempt_at,
    last_attempt_at: now,
  };
  await insertDelivery(tx.store, delivery);
  await updateEventDelivery(tx.store, event.id, change);
  return { app, event: { ...event, ...change }, delivery };
}

/** Signs and sends, outside of any transaction. Never throws for what the receiver does. */
export async function sendAttempt(
  context: Context,
  { app, event, delivery }: Attempt,
): Promise<AttemptOutcome> {
  if (app.webhook_url === null) return { status_code: null, error: 'url_not_allowed', response_ms: null };
  const result = await context.outbound.send({
    method: 'POST',
    url: app.webhook_url,
    headers: webhookHeaders(context, app, event, delivery),
    body: event.body,
    timeout_ms: LIMITS.webhook_timeout_ms,
    answer_bytes_max: LIMITS.webhook_answer_bytes_max,
  });
  const response_ms = Math.round(result.response_ms);
  return result.ok
    ? { status_code: result.status_code, error: null, response_ms }
    : { status_code: null, error: result.error, response_ms };
}

/** Records what came of an attempt; the caller holds the lane. @param app as it is now, which may have lost its URL. */
export async function recordAttempt(
  tx: Context,
  app: App,
  attempt: Attempt,
  outcome: AttemptOutcome,
): Promise<Delivery> {
  const event = await getEvent(tx.store, attempt.event.id);
  const now = tx.clock.now();
  let schedule = afterAttempt(event, attempt.delivery.automatic, outcome);
  if (schedule.delivery_status === 'pending' && app.webhook_url === null) schedule = withoutWebhookUrl(event);
  // The endpoint was cleared while the attempt was under way, and that ended the event: only a 2xx is newer than that.
  if (event.delivery_status !== 'pending' && schedule.delivery_status === 'pending') {
    schedule = { delivery_status: event.delivery_status, next_attempt_at: null };
  }
  await updateEventDelivery(tx.store, event.id, {
    ...schedule,
    last_status_code: outcome.status_code,
    last_error: outcome.error,
  });
  return finishDelivery(tx.store, attempt.delivery.id, {
    ...outcome,
    delivered_at: schedule.delivery_status === 'delivered' && isSuccess(outcome) ? now : null,
    next_attempt_at: attempt.delivery.automatic ? schedule.next_attempt_at : null,
  });
}

function isSuccess({ status_code }: AttemptOutcome): boolean {
  return status_code !== null && status_code >= 200 && status_code < 300;
}

/** Section 6, and the three headers of Standard Webhooks beside them (`webhooks.md`, Signature). */
function webhookHeaders(
  context: Context,
  app: App,
  event: StoredEvent,
  delivery: Delivery,
): Record<string, string> {
  const { names } = context.settings;
  const timestamp_s = Math.floor(context.wall_clock.now() / 1000);
  const secrets = openSigningSecrets(context, app);
  return {
    'Content-Type': 'application/json',
    'User-Agent': names.webhook_user_agent,
    [names.signature_header]: signWebhook({ secrets, timestamp_s, body: event.body }),
    [names.event_id_header]: event.id,
    [names.delivery_id_header]: delivery.id,
    'webhook-id': event.id,
    'webhook-timestamp': String(timestamp_s),
    'webhook-signature': standardWebhookSignature({ secrets, id: event.id, timestamp_s, body: event.body }),
  };
}
