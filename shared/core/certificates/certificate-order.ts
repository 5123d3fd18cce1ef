import type { CertificateId, DomainId } from '../ids.ts';
import { type Instant, MINUTE_MS, SECOND_MS } from '../instant.ts';
import type { ChallengeMethod } from './acme-challenge.ts';
import type { CertificateReason } from './certificate-reasons.ts';

/** Why a domain's certificate is ordered. */
export type OrderPurpose =
  /** The domain has no certificate that it can use. */
  | 'issue'
  | 'renew'
  /** `www` joins the apex's certificate before a renewal is due. A failure is reported to no one (`docs/domains.md`). */
  | 'join_www';

/**
 * Progress of a domain's certificate, stored so that any node can continue it. There is one per domain, and it also records earlier
 * failures. The fields from `ca` on belong to one order at one authority.
 */
export interface CertificateOrder {
  domain_id: DomainId;
  purpose: OrderPurpose;
  /** Number of consecutive failed attempts. */
  failures: number;
  /** True if `www` kept the apex from getting a certificate: the next order leaves it out. */
  without_www: boolean;
  /** Names of the authorities that failed in this attempt. `problem` is what the first of them reported. */
  tried: readonly string[];
  problem: OrderProblem | null;
  /** When the domain was released from a hold; null once a DNS check has found that more resolvers see the record than miss it. */
  unchecked_since: Instant | null;
  /** When our edge was first seen not to serve the challenge responses or the certificate; null once it serves them. */
  unshown_since: Instant | null;
  ca: string | null;
  names: readonly string[];
  /** Challenge methods that CAA allows, in the order in which they are tried. */
  methods: readonly ChallengeMethod[];
  /** ARI identifier of the certificate that this one replaces (RFC 9773 section 5). */
  replaces: string | null;
  order_url: string | null;
  /** Number of times that we answered the challenges. */
  answered_times: number;
  /** When to answer again if validation has failed by then; null until the first answer. */
  answer_again_at: Instant | null;
  /** The certificate's private key, encrypted. It is stored before the authority sees the request. */
  private_key: string | null;
  /** A certificate that is stored but not yet seen at the edge. */
  certificate_id: CertificateId | null;
  /** When the authority's current series of transient failures began. Null if it has recovered. */
  failing_since: Instant | null;
  /** When it last came further. */
  progressed_at: Instant;
}

/** What went wrong, for `status_reason` and `status_detail`. */
export interface OrderProblem {
  reason: CertificateReason;
  /** The value that was found instead. Untrusted text. */
  found: string | null;
  /** The name whose records decided; null if none did. */
  at: string | null;
  /** When it may be tried again; null if that is not known. */
  until: Instant | null;
}

/** `status` of an order at the authority (RFC 8555 section 7.1.6). */
export const ORDER_STATUSES = ['pending', 'ready', 'processing', 'valid', 'invalid'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** The next step of an order. */
export type OrderStep = 'await_check' | 'choose' | 'place' | 'look' | 'prove';

/** Returns the next step, without asking the authority. */
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

/** Returns the order as it was before an authority was chosen, with its record of earlier failures. */
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
 * Returns when to poll again: after a quarter of the time since `since`, or when the authority's `Retry-After` says. Never less than 0.2 s
 * or more than a minute from now.
 */
export function pollAgainAt(since: Instant, retryAt: Instant | null, now: Instant): Instant {
  const waitMs = retryAt === null ? (now - since) / 4 : retryAt - now;
  return now + Math.round(Math.min(Math.max(waitMs, SECOND_MS / 5), MINUTE_MS));
}

/** An order without progress for this long has failed. */
export const ORDER_STALLED_MS = 10 * MINUTE_MS;

/** Maximum number of validations that we ask for in one order. */
export const ANSWERS_MAX = 5;

const FIRST_RETRY_MS = 5 * SECOND_MS;

/**
 * Returns when to ask for another validation after a failed one (RFC 8555 section 8.2). The delay is 5 s, then three times the previous
 * delay, up to 60 s, and never less than the authority's `Retry-After`.
 * @param times how often the challenges were answered, the current answer included.
 */
export function answerAgainAt(times: number, retryAt: Instant | null, now: Instant): Instant {
  const backoffMs = Math.min(FIRST_RETRY_MS * 3 ** (times - 1), MINUTE_MS);
  return Math.min(Math.max(now + backoffMs, retryAt ?? now), now + ORDER_STALLED_MS);
}

/** The attempt fails if the edge does not serve what it should within this time. */
export const EDGE_PATIENCE_MS = 10 * MINUTE_MS;

/**
 * Returns when to look at our edge again. The delay starts at 0.2 s and doubles each time, up to a minute. The last look is
 * `EDGE_PATIENCE_MS` after the first.
 * @param since time of the first look.
 */
export function checkEdgeAgainAt(since: Instant, now: Instant): Instant {
  const next = now + Math.min(now - since + SECOND_MS / 5, MINUTE_MS);
  return Math.min(next, since + EDGE_PATIENCE_MS);
}
