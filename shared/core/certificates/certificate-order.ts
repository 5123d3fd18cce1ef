import type { CertificateId, DomainId } from '../ids.ts';
import { DAY_MS, type Instant, MINUTE_MS, SECOND_MS } from '../instant.ts';
import type { ChallengeMethod } from './acme-challenge.ts';
import type { CertificateReason } from './certificate-reasons.ts';

/** Why a domain's certificate is ordered. */
export type OrderPurpose =
  /** Orders a certificate for a domain that has no usable one. */
  | 'issue'
  | 'renew'
  /** Adds `www` to the apex's certificate before a renewal is due. If this order fails, the failure is not reported (`docs/domains.md`). */
  | 'join_www';

/**
 * The progress of a domain's certificate order, stored so that any node can continue the work. Each domain has one such row, which also
 * records earlier failures. The fields from `ca` on belong to one order at one authority.
 */
export interface CertificateOrder {
  domain_id: DomainId;
  purpose: OrderPurpose;
  /** Number of consecutive failed attempts. */
  failures: number;
  /** True if the last order failed because of `www`. The next order leaves out `www`. */
  without_www: boolean;
  /**
   * Names of the authorities that failed in this attempt. `problem` is what the first of these authorities reported. While this list is
   * empty, `problem` is from the previous attempt.
   */
  tried: readonly string[];
  problem: OrderProblem | null;
  /** When the domain was released from a hold. Null once a DNS check finds the record right at more resolvers than wrong. */
  unchecked_since: Instant | null;
  /** When we first found that our edge does not serve the challenge responses or the certificate. Null once the edge serves them. */
  unshown_since: Instant | null;
  ca: string | null;
  names: readonly string[];
  /** Challenge methods that CAA allows, in the order in which they are tried. */
  methods: readonly ChallengeMethod[];
  /** ARI identifier of the old certificate, which the ordered certificate replaces (RFC 9773 section 5). */
  replaces: string | null;
  order_url: string | null;
  /** Number of times that we have answered the challenges. */
  answered_times: number;
  /** When to answer the challenges again if validation has failed; null until the first answer. */
  answer_again_at: Instant | null;
  /** The certificate's private key, encrypted. The key is stored before the certificate request is sent to the authority. */
  private_key: string | null;
  /** The new certificate, once it is stored. The order then waits until the edge serves this certificate. */
  certificate_id: CertificateId | null;
  /** When the authority began to fail with transient errors. Null while the authority works. */
  failing_since: Instant | null;
  /** When the order last made progress. */
  progressed_at: Instant;
}

/** The problem to report in `status_reason` and `status_detail`. */
export interface OrderProblem {
  reason: CertificateReason;
  /** The value that was found instead of the expected one. Untrusted text. */
  found: string | null;
  /** The name whose records caused the problem; null if no record did. */
  at: string | null;
  /** When the order can be tried again; null if the time is not known. */
  until: Instant | null;
}

/** `status` of an order at the authority (RFC 8555 section 7.1.6). */
export const ORDER_STATUSES = ['pending', 'ready', 'processing', 'valid', 'invalid'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The next step of an order. */
export type OrderStep = 'await_check' | 'choose' | 'place' | 'look' | 'prove';

/** Returns the next step, which follows from the stored order without a request to the authority. */
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

/**
 * Returns the problem that an authority reported in this attempt. Returns null if no authority has failed in this attempt, because
 * `problem` is then from the previous attempt.
 */
export function problemOfAttempt({ tried, problem }: CertificateOrder): OrderProblem | null {
  return tried.length > 0 ? problem : null;
}

/** Returns the order as it was before an authority was chosen. Keeps the record of earlier failures. */
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

/** The longest time for which we poll a finalized order while its authority works on it. At most authorities, an order expires earlier. */
export const PROCESSING_MAX_MS = 7 * DAY_MS;

/** Maximum number of times that one order asks the authority to validate its challenges. */
export const ANSWERS_MAX = 5;

const FIRST_RETRY_MS = 5 * SECOND_MS;

/**
 * Returns when to ask for another validation after a failed one (RFC 8555 section 8.2). The delay is 5 s, then three times the previous
 * delay, up to 60 s, and never less than the authority's `Retry-After`.
 * @param times how often we have answered the challenges, including now.
 */
export function answerAgainAt(times: number, retryAt: Instant | null, now: Instant): Instant {
  const backoffMs = Math.min(FIRST_RETRY_MS * 3 ** (times - 1), MINUTE_MS);
  return Math.min(Math.max(now + backoffMs, retryAt ?? now), now + ORDER_STALLED_MS);
}

/** If the edge does not serve the challenge or the certificate within this time, the attempt fails. */
export const EDGE_PATIENCE_MS = 10 * MINUTE_MS;

/**
 * Returns when to check again whether our edge serves the challenge or the certificate. The delay starts at 0.2 s and doubles each time, up
 * to a minute. The last check is at `EDGE_PATIENCE_MS` after the first.
 * @param since the time of the first check of the edge.
 */
export function checkEdgeAgainAt(since: Instant, now: Instant): Instant {
  const next = now + Math.min(now - since + SECOND_MS / 5, MINUTE_MS);
  return Math.min(next, since + EDGE_PATIENCE_MS);
}
