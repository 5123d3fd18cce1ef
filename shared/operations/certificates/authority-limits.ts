import { type AcmeProblem, limitedName } from '../../core/acme-problem.ts';
import { type Ca, KEPT_FOR_FIRST } from '../../core/ca.ts';
import type { OrderPurpose } from '../../core/certificate-order.ts';
import type { CertificateReason } from '../../core/certificate-reasons.ts';
import { registrableDomain } from '../../core/hostname.ts';
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../core/instant.ts';
import { passesAt, takeToken, tokenAt, waitUntil } from '../../store/ca-limits.ts';
import type { Context } from '../context.ts';

/** What all nodes together may ask of an authority, and what it told any of them to wait for. */

/** Where it did not say how long. */
const LIMITED_MS = 10 * MINUTE_MS;
/** Shorter than the first retry of whoever met it. */
const AWAY_MS = MINUTE_MS / 2;
/** Of other people's clocks we believe a week for one name, and an hour for all of them: one hostname must not keep the others waiting. */
const WAIT_MS_MAX = { name: 7 * DAY_MS, all: HOUR_MS } as const;

/** Remembers a rate limit, or an outage: a refusal of one order is none. @returns until when. */
export async function noteProblem(
  { store, clock }: Context,
  ca: Ca,
  problem: AcmeProblem,
  reason: CertificateReason,
  names: readonly string[],
): Promise<Instant | null> {
  const now = clock.now();
  const until = (wait_ms: number, max_ms: number) =>
    Math.min(Math.max(problem.retry_at ?? now + wait_ms, now + 1000), now + max_ms);
  if (reason === 'ca_rate_limited') {
    const name = limitedName(problem, withDomains(names));
    const passes_at = until(LIMITED_MS, name === null ? WAIT_MS_MAX.all : WAIT_MS_MAX.name);
    await waitUntil(store, limitName(ca, name), passes_at);
    return passes_at;
  }
  if (reason !== 'ca_unavailable' || (problem.status !== null && problem.status < 500)) return null;
  const passes_at = until(AWAY_MS, WAIT_MS_MAX.all);
  await waitUntil(store, awayName(ca), passes_at);
  return passes_at;
}

/** Until when the authority is taken to be away; null where it is not. */
export function awayUntil({ store, clock }: Context, ca: Ca): Promise<Instant | null> {
  return passesAt(store, [awayName(ca)], clock.now());
}

/** Until when it takes no order for one of the names: it said so, or the name has failed too often within the hour. */
export async function limitedUntil(
  { store, clock }: Context,
  ca: Ca,
  names: readonly string[],
): Promise<Instant | null> {
  const now = clock.now();
  const told = [limitName(ca, null), ...withDomains(names).map((name) => limitName(ca, name))];
  const waits = [
    await passesAt(store, told, now),
    ...(await Promise.all(names.map((name) => tokenAt(store, failures(ca, name), now)))),
  ];
  const latest = Math.max(...waits.map((each) => each ?? 0));
  return latest > 0 ? latest : null;
}

/** Takes one of the orders that the account may make. A renewal leaves room for hostnames that have no certificate yet. @returns as `takeToken`. */
export function takeOrder({ store, clock }: Context, ca: Ca, purpose: OrderPurpose): Promise<Instant | null> {
  const bucket = { name: `orders ${ca.directory_url}`, ...ca.limits.orders };
  return takeToken(store, bucket, clock.now(), purpose === 'issue' ? 0 : KEPT_FOR_FIRST);
}

/** The authority failed with the name, whatever the cause: a customer who asks for another attempt asks for no more than these. */
export async function countFailure({ store, clock }: Context, ca: Ca, name: string): Promise<void> {
  await takeToken(store, failures(ca, name), clock.now());
}

function failures(ca: Ca, name: string) {
  return { name: `failures ${ca.directory_url} ${name}`, ...ca.limits.failures };
}

function limitName(ca: Ca, name: string | null): string {
  return `limit ${ca.directory_url} ${name ?? ''}`;
}

function awayName(ca: Ca): string {
  return `away ${ca.directory_url}`;
}

/** Limits are for a hostname, or for the registrable domain that it is in. */
function withDomains(names: readonly string[]): string[] {
  return [...new Set(names.flatMap((name) => [name, registrableDomain(name) ?? name]))];
}
