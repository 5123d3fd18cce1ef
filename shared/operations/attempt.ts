import type { App } from '../core/app.ts';
import {
  type AttemptOutcome,
  afterAttempt,
  type Delivery,
  type Schedule,
  type StoredEvent,
  withoutWebhookUrl,
} from '../core/delivery.ts';
import type { Instant } from '../core/instant.ts';
import { LIMITS } from '../core/limits.ts';
import { signWebhook, standardWebhookSignature } from '../core/signature.ts';
import { findUnfinishedDeliveries, finishDeliveries, insertDeliveries } from '../store/deliveries.ts';
import { type EventDeliveryChange, refreshEvents, updateEventDeliveries } from '../store/events.ts';
import type { Context } from './context.ts';
import { openSigningSecrets } from './signing-secrets.ts';

/** One attempt to deliver an event, claimed: its delivery row is written, its lane leased. */
export interface Attempt {
  app: App;
  event: StoredEvent;
  delivery: Delivery;
}

/**
 * Writes the delivery rows of the next attempts, in the transaction of the claim, so that a lane that is taken over after a crash
 * sends again under the same delivery id and attempt (`webhooks.md`, Claim).
 */
export async function beginAttempts(
  tx: Context,
  due: readonly Pick<Attempt, 'app' | 'event'>[],
  automatic: boolean,
): Promise<Attempt[]> {
  const tried = automatic ? due.filter(({ event }) => event.attempts > 0).map(({ event }) => event.id) : [];
  const left = await findUnfinishedDeliveries(tx.store, tried);
  const now = tx.clock.now();
  const attempts = due.map(({ app, event }): Attempt => {
    const delivery = left.get(event.id);
    return delivery === undefined ? newAttempt(tx, app, event, automatic, now) : { app, event, delivery };
  });
  const begun = attempts.filter(({ event }) => !left.has(event.id));
  await insertDeliveries(
    tx.store,
    begun.map(({ delivery }) => delivery),
  );
  await updateEventDeliveries(
    tx.store,
    begun.map(({ event: { id, attempts, tries, first_attempt_at, last_attempt_at } }) => ({
      id,
      attempts,
      tries,
      first_attempt_at,
      last_attempt_at,
    })),
  );
  return attempts;
}

function newAttempt(tx: Context, app: App, event: StoredEvent, automatic: boolean, now: Instant): Attempt {
  const attempt = event.attempts + 1;
  return {
    app,
    event: {
      ...event,
      attempts: attempt,
      tries: event.tries + (automatic ? 1 : 0),
      first_attempt_at: automatic ? (event.first_attempt_at ?? now) : event.first_attempt_at,
      last_attempt_at: now,
    },
    delivery: {
      id: tx.ids('dlv'),
      event_id: event.id,
      app_id: event.app_id,
      attempt,
      automatic,
      finished: false,
      status_code: null,
      response_ms: null,
      error: null,
      delivered_at: null,
      next_attempt_at: null,
      created_at: now,
    },
  };
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

/** An attempt that ended. */
export interface EndedAttempt {
  /** As it is now, which may have lost its URL. */
  app: App;
  attempt: Attempt;
  outcome: AttemptOutcome;
}

/** Records what came of attempts; the caller holds their lanes. */
export async function recordAttempts(tx: Context, ended: readonly EndedAttempt[]): Promise<Delivery[]> {
  const events = await refreshEvents(
    tx.store,
    ended.map(({ attempt }) => attempt.event),
  );
  const now = tx.clock.now();
  const changes: EventDeliveryChange[] = [];
  const deliveries: Delivery[] = [];
  for (const { app, attempt, outcome } of ended) {
    const { id } = attempt.event;
    const { automatic } = attempt.delivery;
    const schedule = scheduleAfter(app, events.get(id) ?? attempt.event, automatic, outcome);
    changes.push({ id, ...schedule, last_status_code: outcome.status_code, last_error: outcome.error });
    deliveries.push({
      ...attempt.delivery,
      ...outcome,
      finished: true,
      delivered_at: schedule.delivery_status === 'delivered' && isSuccess(outcome) ? now : null,
      next_attempt_at: automatic ? schedule.next_attempt_at : null,
    });
  }
  await updateEventDeliveries(tx.store, changes);
  await finishDeliveries(tx.store, deliveries);
  return deliveries;
}

function scheduleAfter(app: App, event: StoredEvent, automatic: boolean, outcome: AttemptOutcome): Schedule {
  const schedule = afterAttempt(event, automatic, outcome);
  if (schedule.delivery_status !== 'pending') return schedule;
  if (app.webhook_url === null) return withoutWebhookUrl(event);
  // The endpoint was cleared while the attempt was under way, and that ended the event: only a 2xx is newer than that.
  if (event.delivery_status !== 'pending') {
    return { delivery_status: event.delivery_status, next_attempt_at: null };
  }
  return schedule;
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
