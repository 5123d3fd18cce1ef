import type { CertificateId, DomainId } from '../ids.ts';
import { DAY_MS, type Instant, MINUTE_MS, SECOND_MS } from '../instant.ts';
import type { ChallengeMethod } from './acme-challenge.ts';
import type { CertificateReason } from './certificate-reasons.ts';

/** Why a domain's certificate is ordered. */
export type OrderPurpose =
  /** The domain has no certificate that it can use. */
  | 'issue'
  | 'renew'
  /** Adds `www` to the apex's certificate before a renewal is due. A failure is not reported to anyone (`docs/domains.md`). */
  | 'join_www';

/**
 * Progress of a domain's certificate, stored so that any node can continue it. Each domain has one, which also records earlier failures.
 * The fields from `ca` on belong to one order at one authority.
 */
export interface CertificateOrder {
  domain_id: DomainId;
  purpose: OrderPurpose;
  /** Number of consecutive failed attempts. */
  failures: number;
  /** True if the last order failed because of `www`. The next order leaves it out. */
  without_www: boolean;
  /** Names of the authorities that failed in this attempt. `problem` is what the first of them reported, or the last attempt's problem. */
  tried: readonly string[];
  problem: OrderProblem | null;
  /** When the domain was released from a hold. Null once more resolvers see the record than miss it. */
  unchecked_since: Instant | null;
  /** When we first saw that our edge does not serve the challenge responses or the certificate. Null once it does. */
  unshown_since: Instant | null;
  ca: string | null;
  names: readonly string[];
  /** Challenge methods that CAA allows, in the order in which they are tried. */
  methods: readonly ChallengeMethod[];
  /** ARI identifier of the certificate that this one replaces (RFC 9773 section 5). */
  replaces: string | null;
  order_url: string | null;
  /** How often we have answered the challenges. */
  answered_times: number;
  /** If validation has failed, when to answer again; null until the first answer. */
  answer_again_at: Instant | null;
  /** The certificate's private key, encrypted. It is stored before the request is sent to the authority. */
  private_key: string | null;
  /** A certificate that is stored, but that the edge is not yet known to serve. */
  certificate_id: CertificateId | null;
  /** When the authority's current run of transient failures began. Null if it works again. */
  failing_since: Instant | null;
  /** When the order last made progress. */
  progressed_at: Instant;
}

/** The problem to report in `status_reason` and `status_detail`. */
export interface OrderProblem {
  reason: CertificateReason;
  /** The value that was found instead. Untrusted text. */
  found: string | null;
  /** The name whose records caused the problem; null if none did. */
  at: string | null;
  /** When the order can be tried again; null if that is not known. */
  until: Instant | null;
}

/** `status` of an order at the authority (RFC 8555 section 7.1.6). */
export const ORDER_STATUSES = ['pending', 'ready', 'processing', 'valid', 'invalid'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The next step of an order. */
export type OrderStep = 'await_check' | 'choose' | 'place' | 'look' | 'prove';

/** Returns the next step. Needs no request to the authority. */
export function nextOrderStep(order: CertificateOrder): OrderStep {
  if (order.unchecked_since !== null) return 'await_check';
  if (order.certificate_id !== null) return 'prove';
  if (order.ca === null) return 'choose';
  return order.order_url === null ? 'place' : 'look';
}

export function newOrder(domainId: DomainId, purpose: OrderPurpose, now: Instant): CertificateOrder {
  return {
    domain_id: domainId,
    purpose,
    failures: 0,
    without_www: false,
    tried: [],
    problem: null,
    unchecked_since: null,
    unshown_since: null,
    ...NO_AUTHORITY,
    progressed_at: now,
  };
}

/** Returns the problem that an authority reported in this attempt. Before the first authority fails, `problem` is from the last attempt. */
export function problemOfAttempt({ tried, problem }: CertificateOrder): OrderProblem | null {
  return tried.length > 0 ? problem : null;
}

/** Returns the order as it was before it chose an authority. Keeps its record of earlier failures. */
export function restartedOrder(order: CertificateOrder, now: Instant): CertificateOrder {
  return { ...order, ...NO_AUTHORITY, progressed_at: now };
}

const NO_AUTHORITY = {
  ca: null,
  names: [],
  methods: [],
  replaces: null,
  order_url: null,
  answered_times: 0,
  answer_again_at: null,
  private_key: null,
  certificate_id: null,
  failing_since: null,
} as const;

/**
 * Returns when to poll again: after a quarter of the time since `since`, or at the authority's `Retry-After`. The delay is at least 0.2 s
 * and at most `maxMs`, by default a minute.
 */
export function pollAgainAt(
  since: Instant,
  retryAt: Instant | null,
  now: Instant,
  maxMs = MINUTE_MS,
): Instant {
  const waitMs = retryAt === null ? (now - since) / 4 : retryAt - now;
  return now + Math.round(Math.min(Math.max(waitMs, SECOND_MS / 5), maxMs));
}

/** An order that makes no progress for this long has failed. */
export const ORDER_STALLED_MS = 10 * MINUTE_MS;

/** The longest time that a finalized order is followed while its authority works on it. Most authorities let an order end earlier. */
export const PROCESSING_MAX_MS = 7 * DAY_MS;

/** Maximum number of validations that we ask for in one order. */
export const ANSWERS_MAX = 5;

const FIRST_RETRY_MS = 5 * SECOND_MS;

/**
 * Returns when to ask for another validation after a failed one (RFC 8555 section 8.2). The delay is 5 s, then three times the previous
 * delay, up to 60 s, and never less than the authority's `Retry-After`.
 * @param times how often the challenges were answered, including the current answer.
 */
export function answerAgainAt(times: number, retryAt: Instant | null, now: Instant): Instant {
  const backoffMs = Math.min(FIRST_RETRY_MS * 3 ** (times - 1), MINUTE_MS);
  return Math.min(Math.max(now + backoffMs, retryAt ?? now), now + ORDER_STALLED_MS);
}

/** If the edge does not serve the challenge or the certificate within this time, the attempt fails. */
export const EDGE_PATIENCE_MS = 10 * MINUTE_MS;

/**
 * Returns when to look at our edge again. The delay starts at 0.2 s and doubles each time, up to a minute. The last look is at
 * `EDGE_PATIENCE_MS` after the first.
 * @param since the time at which we first looked at the edge.
 */
export function checkEdgeAgainAt(since: Instant, now: Instant): Instant {
  const next = now + Math.min(now - since + SECOND_MS / 5, MINUTE_MS);
  return Math.min(next, since + EDGE_PATIENCE_MS);
}
