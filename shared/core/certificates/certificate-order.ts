import type { CertificateId, DomainId } from '../ids.ts';
import { type Instant, MINUTE_MS, SECOND_MS } from '../instant.ts';
import type { ChallengeMethod } from './acme-challenge.ts';
import type { CertificateReason } from './certificate-reasons.ts';

/** What a domain's certificate is ordered for. */
export type OrderPurpose =
  /** There is none, or none that may be relied on. */
  | 'issue'
  | 'renew'
  /** `www` joins the apex before a renewal is due; nobody is told (`docs/domains.md`). */
  | 'join_www';

/**
 * How far the certificate of a domain is, so that any node can go on with it. One a domain; what failed before it is part of it. The
 * fields from `ca` on belong to one order at one authority.
 */
export interface CertificateOrder {
  domain_id: DomainId;
  purpose: OrderPurpose;
  /** In a row, without a certificate. */
  failures: number;
  /** `www` kept the apex from its certificate: the next order does without. */
  without_www: boolean;
  /** Authorities that failed in this attempt, by name, and what the first of them said. */
  tried: readonly string[];
  problem: OrderProblem | null;
  /** Released from a hold then: no authority is asked before a DNS check by which more see the record than miss it. */
  unchecked_since: Instant | null;
  /** Our edge was first seen not to show what it should, the answers to the challenges or the certificate, and has not shown it since. */
  unshown_since: Instant | null;
  ca: string | null;
  names: readonly string[];
  /** Allowed by CAA, in the order in which they are tried. */
  methods: readonly ChallengeMethod[];
  /** The certificate that this one replaces, as ARI calls it (RFC 9773 section 5). */
  replaces: string | null;
  order_url: string | null;
  /** Number of times that the challenges were answered. */
  answered_times: number;
  /** When to answer again if validation has failed by then; null until the first answer. */
  answer_again_at: Instant | null;
  /** Sealed. It is there before the authority sees the request. */
  private_key: string | null;
  /** Stored, and not yet seen at the edge. */
  certificate_id: CertificateId | null;
  /** The authority stumbled over it first then, and has not recovered since. */
  stumbled_since: Instant | null;
  /** When it last came further. */
  progressed_at: Instant;
}

/** What went wrong, for `status_reason` and `status_detail`. */
export interface OrderProblem {
  reason: CertificateReason;
  /** Other people's text. */
  found: string | null;
  /** The name whose records decided. */
  at: string | null;
  /** When it may be tried again, where that is known. */
  until: Instant | null;
}

/** `status` of an order at the authority (RFC 8555 section 7.1.6). */
export const ORDER_STATUSES = ['pending', 'ready', 'processing', 'valid', 'invalid'] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** What is to be done next, without asking the authority. */
export type OrderStep = 'await_check' | 'choose' | 'place' | 'look' | 'prove';

export function nextStep(order: CertificateOrder): OrderStep {
  if (order.unchecked_since !== null) return 'await_check';
  if (order.certificate_id !== null) return 'prove';
  if (order.ca === null) return 'choose';
  return order.order_url === null ? 'place' : 'look';
}

export function newOrder(domain_id: DomainId, purpose: OrderPurpose, now: Instant): CertificateOrder {
  return {
    domain_id,
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

/** Back to the choice of an authority, with what is known of earlier failures. */
export function startedOver(order: CertificateOrder, now: Instant): CertificateOrder {
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
  stumbled_since: null,
} as const;

/** When to look again at what somebody else is doing: soon at first, and when the authority says so. @param since when it began. */
export function lookAgainAt(since: Instant, retry_at: Instant | null, now: Instant): Instant {
  const wait_ms = retry_at === null ? (now - since) / 4 : retry_at - now;
  return now + Math.round(Math.min(Math.max(wait_ms, SECOND_MS / 5), MINUTE_MS));
}

/** An order that is no further after this time will not come any further. */
export const ORDER_STALLED_MS = 10 * MINUTE_MS;

/** Largest number of validations that one order asks for. */
export const ANSWERS_MAX = 5;

const FIRST_RETRY_MS = 5 * SECOND_MS;

/**
 * Returns when to ask for another validation after a failed one (RFC 8555 section 8.2). The delay is 5 s, then three times the previous delay,
 * up to 60 s, and never less than the authority's `Retry-After`.
 * @param times how often the challenges were answered, the current answer included.
 */
export function answerAgainAt(times: number, retryAt: Instant | null, now: Instant): Instant {
  const backoffMs = Math.min(FIRST_RETRY_MS * 3 ** (times - 1), MINUTE_MS);
  return Math.min(Math.max(now + backoffMs, retryAt ?? now), now + ORDER_STALLED_MS);
}

/** An edge that does not show what it should after this time fails the attempt. */
export const EDGE_PATIENCE_MS = 10 * MINUTE_MS;

/**
 * When to look at our edge again: soon, then after twice as long each time, up to once a minute, and a last time when patience ends.
 * @param since the first look.
 */
export function lookAtEdgeAgainAt(since: Instant, now: Instant): Instant {
  const next = now + Math.min(now - since + SECOND_MS / 5, MINUTE_MS);
  return Math.min(next, since + EDGE_PATIENCE_MS);
}
