import type { App } from '../apps/app.ts';
import type { Mode, Status } from '../domains/status.ts';
import type { AppId, DeliveryId, DomainId, EventId } from '../ids.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from '../instant.ts';
import type { EventType } from './event.ts';
import type { ResponseSample } from './response-sample.ts';

/**
 * Times of the retries, all counted from the first attempt: 1, 5 and 30 minutes, then 2, 6, 12 and 24 hours (`docs/api.md#webhooks`). So a
 * late retry does not delay the next retries (`docs/webhooks.md`).
 */
export const RETRIES_AFTER_MS: readonly number[] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
];

/** The number of automatic attempts of an event, after which its delivery has failed. */
export const ATTEMPTS_MAX = 1 + RETRIES_AFTER_MS.length;

/** Why a request got no response: the values of `last_error` (`docs/api.md#event`). */
export const OUTBOUND_ERRORS = [
  'url_not_allowed',
  'dns_failed',
  'timeout',
  'tls_error',
  'connection_failed',
] as const;
export type OutboundError = (typeof OUTBOUND_ERRORS)[number];

/** An event as it is stored: the fields of `docs/api.md#event`, the body to send, and the state of its delivery. */
export interface StoredEvent {
  id: EventId;
  domain_id: DomainId;
  app_id: AppId;
  mode: Mode;
  /** Number of the event among the domain's events: 1, 2, 3 … Events are delivered in this order. */
  seq: number;
  type: EventType;
  hostname: string;
  previous_status: Status | null;
  status: Status | null;
  created_at: Instant;
  body: string;
  /** The `webhook_epoch` of the app when the event happened. */
  webhook_epoch: number;
  delivery_status: 'pending' | 'delivered' | 'failed' | 'none';
  attempts: number;
  tries: number;
  first_attempt_at: Instant | null;
  last_status_code: number | null;
  last_error: string | null;
  last_attempt_at: Instant | null;
  next_attempt_at: Instant | null;
}

/** One delivery attempt (`docs/api.md#delivery`). */
export interface Delivery {
  id: DeliveryId;
  event_id: EventId;
  app_id: AppId;
  attempt: number;
  automatic: boolean;
  finished: boolean;
  status_code: number | null;
  response_ms: number | null;
  error: string | null;
  delivered_at: Instant | null;
  next_attempt_at: Instant | null;
  created_at: Instant;
  response_headers: ResponseSample['response_headers'] | null;
  response_body: string | null;
}

/** The result of a delivery attempt. */
export type AttemptOutcome =
  | ({ status_code: number; error: null; response_ms: number } & Partial<ResponseSample>)
  | { status_code: null; error: string; response_ms: number | null };

/** The delivery state of an event. */
export type Schedule = Pick<StoredEvent, 'delivery_status' | 'next_attempt_at'>;

/**
 * Returns the delivery state after an attempt. Any 2xx means delivered. Otherwise the event is due again at the next retry, or `failed` if
 * no retry is left. A manual redelivery ends the retries if it succeeds, and changes nothing if it fails (`docs/api.md#events`).
 */
export function afterAttempt(event: StoredEvent, automatic: boolean, outcome: AttemptOutcome): Schedule {
  if (outcome.status_code !== null && outcome.status_code >= 200 && outcome.status_code < 300) {
    return { delivery_status: 'delivered', next_attempt_at: null };
  }
  if (!automatic) return { delivery_status: event.delivery_status, next_attempt_at: event.next_attempt_at };
  const retryAfterMs = RETRIES_AFTER_MS[event.tries - 1];
  if (retryAfterMs === undefined || event.first_attempt_at === null) {
    return { delivery_status: 'failed', next_attempt_at: null };
  }
  return { delivery_status: 'pending', next_attempt_at: event.first_attempt_at + retryAfterMs };
}

/** Returns whether clearing `webhook_url` cancelled the event's delivery. The event's row may still be pending (`decisions/0091`). */
export function isCancelled(
  event: Pick<StoredEvent, 'delivery_status' | 'webhook_epoch'>,
  app: Pick<App, 'webhook_epoch'>,
): boolean {
  return event.delivery_status === 'pending' && event.webhook_epoch < app.webhook_epoch;
}

/** Returns the delivery state after `webhook_url` was cleared: `none` if there was no attempt, else `failed` (`docs/webhooks.md`). */
export function withoutWebhookUrl(event: Pick<StoredEvent, 'attempts'>): Schedule {
  return { delivery_status: event.attempts === 0 ? 'none' : 'failed', next_attempt_at: null };
}

/** Delivery fields of an event before its first attempt. */
export const NOT_ATTEMPTED = {
  attempts: 0,
  tries: 0,
  first_attempt_at: null,
  last_status_code: null,
  last_error: null,
  last_attempt_at: null,
} as const;
