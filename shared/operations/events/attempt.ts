import type { WebhookApp } from '../../core/apps/app.ts';
import type { Instant } from '../../core/instant.ts';
import { LIMITS } from '../../core/limits.ts';
import {
  type AttemptOutcome,
  afterAttempt,
  type Delivery,
  isCancelled,
  type Schedule,
  type StoredEvent,
  withoutWebhookUrl,
} from '../../core/webhooks/delivery.ts';
import { responseSample, SAMPLE_BYTES_MAX } from '../../core/webhooks/response-sample.ts';
import { signWebhook, standardWebhookSignature } from '../../core/webhooks/signature.ts';
import { deliveriesWrite, findUnfinishedDeliveries } from '../../store/events/deliveries.ts';
import { eventDeliveriesUpdate } from '../../store/events/events.ts';
import type { Statement } from '../../store/run-together.ts';
import type { Tx } from '../../store/store.ts';
import type { Context, TxContext } from '../context.ts';
import { openSigningSecrets } from './signing-secrets.ts';

/** A claimed attempt to deliver an event: the delivery row is written, and the worker has leased the domain's event queue (lane). */
export interface Attempt {
  app: WebhookApp;
  event: StoredEvent;
  delivery: Delivery;
}

/**
 * Returns the next automatic attempts. The caller writes them with `attemptsWrite` in the transaction of the claim. If a worker crashed
 * during an attempt, the attempt is repeated with the same delivery id and attempt number (`docs/webhooks.md`).
 * @param ended attempts that end in the same transaction. The database still has them as unfinished.
 */
export async function beginAttempts(
  tx: TxContext,
  due: readonly Pick<Attempt, 'app' | 'event'>[],
  ended: readonly Attempt[],
): Promise<Attempt[]> {
  const justTried = new Set(ended.map(({ event }) => event.id));
  const tried = due.filter(({ event }) => event.attempts > 0 && !justTried.has(event.id));
  const left = await findUnfinishedDeliveries(
    tx.store,
    tried.map(({ event }) => event.id),
  );
  return due.map(({ app, event }) => {
    const delivery = left.get(event.id);
    return delivery === undefined ? newAttempt(tx, app, event, true) : { app, event, delivery };
  });
}

/**
 * Returns a new attempt. If the event was never sent and has no retries, its first redelivery makes the event `failed` until a receiver
 * responds with 2xx.
 * @param automatic false for a redelivery, which uses up no attempt of the retry schedule.
 */
export function newAttempt(tx: TxContext, app: WebhookApp, event: StoredEvent, automatic: boolean): Attempt {
  const now = tx.clock.now();
  const attempt = event.attempts + 1;
  return {
    app,
    event: {
      ...event,
      delivery_status: event.delivery_status === 'none' ? 'failed' : event.delivery_status,
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
      response_headers: null,
      response_body: null,
    },
  };
}

/** Signs and sends the event, outside any transaction. Does not throw if the receiver fails, but returns the failure as the outcome. */
export async function sendAttempt(
  context: Context,
  { app, event, delivery }: Attempt,
): Promise<AttemptOutcome> {
  return postWebhook(context, app, webhookHeaders(context, app, event, delivery), event.body);
}

/** Sends one signed request to the app's webhook URL. Returns every failure of the receiver as the outcome. */
export async function postWebhook(
  context: Context,
  { webhook_url }: WebhookApp,
  headers: Record<string, string>,
  body: string,
): Promise<AttemptOutcome> {
  if (webhook_url === null) return { status_code: null, error: 'url_not_allowed', response_ms: null };
  const result = await context.outbound.send({
    method: 'POST',
    url: webhook_url,
    headers,
    body,
    timeoutMs: LIMITS.webhook_timeout_ms,
    maxResponseBytes: LIMITS.webhook_answer_bytes_max,
    sampleBytes: SAMPLE_BYTES_MAX,
  });
  const responseMs = Math.round(result.response_ms);
  if (!result.ok) return { status_code: null, error: result.problem, response_ms: responseMs };
  const { status_code, headers: received, sample = new Uint8Array() } = result;
  return { status_code, error: null, response_ms: responseMs, ...responseSample(received, sample) };
}

/**
 * Returns the attempt with its outcome, and the event with its new delivery status and next attempt.
 * @param event the event as it is stored now.
 * @param app the app as it is stored now. Its webhook URL may have been removed during the attempt.
 */
export function endAttempt(
  { app, event, delivery }: Attempt,
  outcome: AttemptOutcome,
  now: Instant,
): Attempt {
  const last = { last_status_code: outcome.status_code, last_error: outcome.error };
  const schedule = scheduleAfter(app, event, delivery.automatic, outcome);
  return {
    app,
    // The `last_` fields describe the attempt that began last. A redelivery can begin and end while an automatic attempt runs.
    event: { ...event, ...schedule, ...(delivery.attempt === event.attempts && last) },
    delivery: {
      ...delivery,
      ...outcome,
      finished: true,
      delivered_at: schedule.delivery_status === 'delivered' && isSuccess(outcome) ? now : null,
      next_attempt_at: delivery.automatic ? schedule.next_attempt_at : null,
    },
  };
}

/**
 * Returns the statements that write attempts. If several attempts belong to the same event, stores the state of the event after the last
 * attempt. The caller must have leased the event queues (lanes).
 */
export function attemptsWrite(tx: Tx, attempts: readonly Attempt[]): Statement[] {
  const events = new Map(attempts.map(({ event }) => [event.id, event]));
  const deliveries = attempts.map(({ delivery }) => delivery);
  return [...eventDeliveriesUpdate(tx, [...events.values()]), ...deliveriesWrite(tx, deliveries)];
}

function scheduleAfter(
  app: WebhookApp,
  event: StoredEvent,
  automatic: boolean,
  outcome: AttemptOutcome,
): Schedule {
  const schedule = afterAttempt(event, automatic, outcome);
  if (schedule.delivery_status !== 'pending') return schedule;
  // The app cleared its webhook URL during this attempt, which cancelled the event. The event becomes `delivered` only by a 2xx.
  if (isCancelled(event, app)) return withoutWebhookUrl(event);
  if (event.delivery_status !== 'pending') {
    return { delivery_status: event.delivery_status, next_attempt_at: null };
  }
  return schedule;
}

function isSuccess({ status_code }: AttemptOutcome): boolean {
  return status_code !== null && status_code >= 200 && status_code < 300;
}

/**
 * Returns the headers of a webhook request (`docs/api.md#webhooks`), including the three headers of Standard Webhooks (`docs/webhooks.md`).
 */
export function webhookHeaders(
  context: Context,
  app: WebhookApp,
  event: Pick<StoredEvent, 'body'> & { id: string },
  delivery: Pick<Delivery, 'id'>,
): Record<string, string> {
  const { names } = context.settings;
  const timestampS = Math.floor(context.wallClock.now() / 1000);
  const secrets = openSigningSecrets(context, app);
  return {
    'Content-Type': 'application/json',
    'User-Agent': names.webhook_user_agent,
    [names.signature_header]: signWebhook({ secrets, timestampS, body: event.body }),
    [names.event_id_header]: event.id,
    [names.delivery_id_header]: delivery.id,
    'webhook-id': event.id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': standardWebhookSignature({
      secrets,
      id: event.id,
      timestampS,
      body: event.body,
    }),
  };
}
