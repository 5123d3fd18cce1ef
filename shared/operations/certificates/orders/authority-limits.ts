import { BUDGETS } from '../../../core/budgets.ts';
import type { AcmeProblem } from '../../../core/certificates/acme-problem.ts';
import {
  type Ca,
  RESERVED_FOR_FIRST_CERTIFICATES,
  RESERVED_FOR_OTHER_ACCOUNTS,
} from '../../../core/certificates/ca.ts';
import {
  exactSet,
  LIMIT_ABOUTS,
  type LimitAbout,
  limitSubjects,
  rateLimitOf,
} from '../../../core/certificates/ca-rate-limit.ts';
import { ORDER_STALLED_MS, type OrderPurpose } from '../../../core/certificates/certificate-order.ts';
import type { CertificateReason } from '../../../core/certificates/certificate-reasons.ts';
import type { AccountId } from '../../../core/ids.ts';
import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../../../core/instant.ts';
import {
  findLimits,
  nextToken,
  type TokenBucket,
  takeToken,
  tokenAt,
  waitUntil,
} from '../../../store/certificates/ca-limits.ts';
import { countOpenOrders } from '../../../store/certificates/certificate-orders.ts';
import { autocommit } from '../../../store/store.ts';
import type { Context, TxContext } from '../../context.ts';

/** Limits on requests to an authority, which all nodes share. They include waits that the authority asked any node to keep. */

/** Shorter than the delay before the first retry, so that an order that met the outage can be retried then. */
const AWAY_MS = MINUTE_MS / 2;
/** How often an order that waits for a place asks again. */
const PLACE_MS = 2 * SECOND_MS;
/** The longest `Retry-After` of an authority that we follow. */
const AWAY_MS_MAX = HOUR_MS;

/** The facts of an order that is to be placed. */
export interface OrderRequest {
  names: readonly string[];
  purpose: OrderPurpose;
  account_id: AccountId | null;
  /** Whether ARI marks the order as a renewal. The authority then does not count the certificate (RFC 9773 section 5), but we count the order. */
  exempt: boolean;
}

/**
 * Stores a rate limit or an outage that a problem reports. The refusal of a single order is neither.
 * @returns until when to wait, or null.
 */
export async function recordProblem(
  { store, clock }: Context,
  ca: Ca,
  problem: AcmeProblem,
  reason: CertificateReason,
  names: readonly string[],
): Promise<Instant | null> {
  const now = clock.now();
  const until = (waitMs: number, maxMs: number) =>
    Math.min(Math.max(problem.retryAt ?? now + waitMs, now + 1000), now + maxMs);
  if (reason === 'ca_rate_limited') {
    const { about, subjects, waitMs, maxWaitMs } = rateLimitOf(problem, names);
    const passesAt = until(waitMs, maxWaitMs);
    for (const subject of subjects)
      await waitUntil(autocommit(store), limitName(ca, about, subject), passesAt);
    return passesAt;
  }
  if (reason !== 'ca_unavailable' || (problem.status !== null && problem.status < 500)) return null;
  const passesAt = until(AWAY_MS, AWAY_MS_MAX);
  await waitUntil(autocommit(store), awayName(ca), passesAt);
  return passesAt;
}

/**
 * Returns until when the authority cannot accept the order, and why; null if it can accept the order now. Either the authority is
 * unavailable, or a limit is reached. The authority reported the limit, or it is our count of a name's failures within the hour, of
 * certificates for this exact set of names, or of orders. Takes no token.
 */
export async function findWait(
  { store, clock }: Context,
  ca: Ca,
  request: OrderRequest,
): Promise<{ reason: 'ca_unavailable' | 'ca_rate_limited'; until: Instant } | null> {
  const now = clock.now();
  const { names, exempt } = request;
  const subjects = limitSubjects(names);
  const told = LIMIT_ABOUTS.flatMap((about) => subjects[about].map((each) => limitName(ca, about, each)));
  const issued = exempt ? null : certificates(ca, names);
  const buckets = [...names.map((name) => failures(ca, name)), ...(issued === null ? [] : [issued])];
  const { orders, share } = orderBuckets(ca, request);
  const limits = await findLimits(
    store,
    [awayName(ca), ...told, ...[...buckets, orders, share].map(({ name }) => name)],
    now,
  );
  const away = limits.get(awayName(ca));
  if (away !== undefined) return { reason: 'ca_unavailable', until: away };
  const ask = (bucket: TokenBucket, kept?: number) => nextToken(limits, bucket, now, kept);
  const waits = [
    ...told.map((name) => limits.get(name)),
    ...buckets.map((bucket) => ask(bucket)),
    await roomAt(ca, request, ask, ask),
  ];
  const until = Math.max(...waits.map((each) => each ?? 0));
  return until > 0 ? { reason: 'ca_rate_limited', until } : null;
}

/** Returns until when the authority issues no certificate for exactly these names, or null if it does now. */
export async function exactSetUntil(
  { store, clock }: Context,
  ca: Ca,
  names: readonly string[],
): Promise<Instant | null> {
  const issued = certificates(ca, names);
  return issued && tokenAt(store, issued, clock.now());
}

/**
 * Takes a place among our open orders at the authority, and one of the orders that it accepts. An order keeps its place until it has its
 * certificate, has failed, or has made no progress for `ORDER_STALLED_MS`. Call it in the transaction that saves the order.
 * @returns when to ask again; null if the order has both.
 */
export async function takePlace(tx: TxContext, ca: Ca, request: OrderRequest): Promise<Instant | null> {
  const { store, clock, log } = tx;
  const now = clock.now();
  // Places are counted one after the other, because this locks the row even if it changes nothing.
  await waitUntil(store, `places ${ca.directory_url}`, 0);
  const since = now - ORDER_STALLED_MS;
  const open = await countOpenOrders(store, { ca: ca.name, account_id: request.account_id, since });
  const { of, parts } = BUDGETS.ca_places;
  if (open.own >= Math.ceil((of - open.all + open.own) / parts)) return now + PLACE_MS;
  // Another order took the last one since this order chose its authority. It has to choose again.
  const peek: AskBucket = (bucket, kept) => tokenAt(store, bucket, now, kept);
  const take: AskBucket = (bucket, kept) => takeToken(store, bucket, now, kept);
  if ((await roomAt(ca, request, peek, take)) !== null) return now;
  log.info({ ca: ca.name, names: request.names }, 'ordering a certificate');
  return null;
}

/** Counts a failure that the authority reported for a name, whatever the cause. Attempts that a customer asks for share this limit. */
export async function countFailure({ store, clock }: Context, ca: Ca, name: string): Promise<void> {
  await takeToken(autocommit(store), failures(ca, name), clock.now());
}

/** Counts a certificate that was issued for exactly these names. */
export async function countIssued(
  { store, clock }: Context,
  ca: Ca,
  names: readonly string[],
): Promise<void> {
  const issued = certificates(ca, names);
  if (issued !== null) await takeToken(autocommit(store), issued, clock.now());
}

/**
 * Returns when the account has an order left, or null if it has one now. Renewals leave some orders for hostnames without a certificate. An
 * account that exceeds its own share of those leaves some for other accounts, however many apps it has.
 */
async function roomAt(
  ca: Ca,
  request: OrderRequest,
  peek: AskBucket,
  ask: AskBucket,
): Promise<Instant | null> {
  const { purpose } = request;
  const { orders, share } = orderBuckets(ca, request);
  if (purpose === 'renew') return ask(orders, RESERVED_FOR_FIRST_CERTIFICATES.renew);
  const shareAt = await peek(share);
  const kept = Math.max(
    RESERVED_FOR_FIRST_CERTIFICATES[purpose],
    shareAt === null ? 0 : RESERVED_FOR_OTHER_ACCOUNTS,
  );
  const freeAt = await ask(orders, kept);
  if (freeAt !== null) return shareAt === null ? freeAt : Math.min(freeAt, shareAt);
  // The share is counted only once an order is free, so that waiting costs an account nothing. Simultaneous orders can exceed the share
  // slightly.
  if (shareAt === null) await ask(share);
  return null;
}

/** A function that returns when a bucket has a token, or null if it has one now. */
type AskBucket = (bucket: TokenBucket, kept?: number) => Promise<Instant | null> | Instant | null;

/** Returns the bucket of all orders at an authority, and the bucket of the account's share. */
function orderBuckets({ limits, directory_url }: Ca, { account_id }: OrderRequest) {
  const { limit, window_ms } = limits.orders;
  const name = `orders ${directory_url}`;
  const part = Math.ceil(limit / BUDGETS.ca_orders.parts);
  return {
    orders: { name, limit, window_ms },
    share: { name: `${name} ${account_id}`, limit: part, window_ms },
  };
}

function failures(ca: Ca, name: string): TokenBucket {
  return { name: `failures ${ca.directory_url} ${name}`, ...ca.limits.failures };
}

function certificates(ca: Ca, names: readonly string[]): TokenBucket | null {
  const allowance = ca.limits.certificates;
  return allowance && { name: `certificates ${ca.directory_url} ${exactSet(names)}`, ...allowance };
}

function limitName(ca: Ca, about: LimitAbout, subject: string): string {
  return `limit ${ca.directory_url} ${about} ${subject}`;
}

function awayName(ca: Ca): string {
  return `away ${ca.directory_url}`;
}
