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

/** Limits on requests to a certificate authority. All nodes share them, including waits that the authority asked one node for. */

/**
 * How long to avoid an authority after an outage. Shorter than the delay before the first retry, so that the retry can use the authority
 * again.
 */
const AWAY_MS = MINUTE_MS / 2;
/** How often an order checks again whether it may be placed, while too many orders are open. */
const PLACE_MS = 2 * SECOND_MS;
/** The maximum wait that we accept from a `Retry-After` of an authority. */
const AWAY_MS_MAX = HOUR_MS;

/** An order before it is placed: the fields that determine its limits. */
export interface OrderRequest {
  names: readonly string[];
  purpose: OrderPurpose;
  account_id: AccountId | null;
  /**
   * Whether the order is a renewal by ARI, which the authority does not count towards its limit of certificates (RFC 9773 section 5). It
   * still counts towards our limit of orders.
   */
  exempt: boolean;
}

/**
 * Stores a wait if the authority's problem document reports a rate limit or an outage. Does nothing if the authority refused only this
 * order.
 * @returns the end of the wait, or null.
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
 * unavailable or has reported a limit, or the order would exceed a limit that we count ourselves. We count failures of a name in an hour,
 * certificates for this exact set of names, and orders. Takes no token.
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

/** Returns when the authority will issue another certificate for exactly these names, or null if it would issue one now. */
export async function exactSetUntil(
  { store, clock }: Context,
  ca: Ca,
  names: readonly string[],
): Promise<Instant | null> {
  const issued = certificates(ca, names);
  return issued && tokenAt(store, issued, clock.now());
}

/**
 * Checks that the order may be placed now: the number of open orders is below its limit, and a token for a new order is available, which it
 * takes. An order is open until it has its certificate, has failed, or has made no progress for `ORDER_STALLED_MS`. Call this in the
 * transaction that saves the order.
 * @returns when to try again; null if the order may be placed.
 */
export async function takePlace(tx: TxContext, ca: Ca, request: OrderRequest): Promise<Instant | null> {
  const { store, clock, log } = tx;
  const now = clock.now();
  // This locks the row even if it changes nothing, so that workers count the open orders one after the other.
  await waitUntil(store, `places ${ca.directory_url}`, 0);
  const since = now - ORDER_STALLED_MS;
  const open = await countOpenOrders(store, { ca: ca.name, account_id: request.account_id, since });
  const { of, parts } = BUDGETS.ca_places;
  if (open.own >= Math.ceil((of - open.all + open.own) / parts)) return now + PLACE_MS;
  // If another order took the last token since this order chose its authority, this order has to choose again.
  const peek: AskBucket = (bucket, kept) => tokenAt(store, bucket, now, kept);
  const take: AskBucket = (bucket, kept) => takeToken(store, bucket, now, kept);
  if ((await roomAt(ca, request, peek, take)) !== null) return now;
  log.info({ ca: ca.name, names: request.names }, 'ordering a certificate');
  return null;
}

/**
 * Counts a failure that the authority reported for a name, whatever the cause. Attempts that a customer starts with "Check now" share this
 * limit.
 */
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
 * Returns when the account may place another order, or null if it may place one now. Renewals must leave some orders for hostnames without
 * a certificate. An account that has used up its share must leave some orders for other accounts, whatever its number of apps.
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
  // Takes a token of the share only once the order may be placed, so that waiting does not use up the account's share. Simultaneous orders
  // can exceed the share slightly.
  if (shareAt === null) await ask(share);
  return null;
}

/** A function that returns when a bucket will have a token, or null if one is available now. */
type AskBucket = (bucket: TokenBucket, kept?: number) => Promise<Instant | null> | Instant | null;

/** Returns the token bucket of all orders at an authority, and the bucket of the account's share. */
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
