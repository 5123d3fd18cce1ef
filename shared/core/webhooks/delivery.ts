import type { Mode, Status } from '../domains/status.ts';
import type { AppId, DeliveryId, DomainId, EventId } from '../ids.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from '../instant.ts';
import type { EventType } from './event.ts';

/**
 * Section 6: retried 1 and 5 and 30 minutes, 2, 6, 12 and 24 hours after the first attempt. Each is counted from the first,
 * so one that comes late shifts none of those after it (`docs/webhooks.md`).
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

/** The reasons for a request without a response, as `last_error` names them (section 2.4). */
export const OUTBOUND_ERRORS = [
  'url_not_allowed',
  'dns_failed',
  'timeout',
  'tls_error',
  'connection_failed',
] as const;
export type OutboundError = (typeof OUTBOUND_ERRORS)[number];

/** An event as it is stored: section 2.4, the body that is sent, and where its delivery stands. */
export interface StoredEvent {
  id: EventId;
  domain_id: DomainId;
  app_id: AppId;
  mode: Mode;
  /** 1, 2, 3 … within the domain: the order of delivery. */
  seq: number;
  type: EventType;
  hostname: string;
  previous_status: Status | null;
  status: Status | null;
  created_at: Instant;
  body: string;
  delivery_status: 'pending' | 'delivered' | 'failed' | 'none';
  attempts: number;
  tries: number;
  first_attempt_at: Instant | null;
  last_status_code: number | null;
  last_error: string | null;
  last_attempt_at: Instant | null;
  next_attempt_at: Instant | null;
}

/** One attempt: section 2.5. */
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
}

/** What came of an attempt. */
export type AttemptOutcome =
  | { status_code: number; error: null; response_ms: number }
  | { status_code: null; error: string; response_ms: number | null };

/** Where an event stands. */
export type Schedule = Pick<StoredEvent, 'delivery_status' | 'next_attempt_at'>;

/**
 * Where an event stands after an attempt: delivered by any 2xx, else due again by the ladder, else failed.
 * A redelivery that fails changes nothing about the schedule; one that succeeds ends it (section 4.4).
 */
export function afterAttempt(event: StoredEvent, automatic: boolean, outcome: AttemptOutcome): Schedule {
  if (outcome.status_code !== null && outcome.status_code >= 200 && outcome.status_code < 300) {
    return { delivery_status: 'delivered', next_attempt_at: null };
  }
  if (!automatic) return { delivery_status: event.delivery_status, next_attempt_at: event.next_attempt_at };
  const retry_after_ms = RETRIES_AFTER_MS[event.tries - 1];
  if (retry_after_ms === undefined || event.first_attempt_at === null) {
    return { delivery_status: 'failed', next_attempt_at: null };
  }
  return { delivery_status: 'pending', next_attempt_at: event.first_attempt_at + retry_after_ms };
}

/** A cleared `webhook_url` ends what waits: `none` where nothing was tried, else `failed` (`docs/webhooks.md`). */
export function withoutWebhookUrl(event: Pick<StoredEvent, 'attempts'>): Schedule {
  return { delivery_status: event.attempts === 0 ? 'none' : 'failed', next_attempt_at: null };
}

/** How an event stands that nobody has tried to deliver yet. */
export const UNTRIED = {
  attempts: 0,
  tries: 0,
  first_attempt_at: null,
  last_status_code: null,
  last_error: null,
  last_attempt_at: null,
} as const;
