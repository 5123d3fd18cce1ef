import { problemReason } from '../../../core/certificates/acme-problem.ts';
import {
  allowedMethods,
  type Ca,
  leastObstacle,
  type Obstacle,
  summarizeObstacles,
} from '../../../core/certificates/ca.ts';
import { type CertificateOrder, problemOfAttempt } from '../../../core/certificates/certificate-order.ts';
import { FAILURES_MAX } from '../../../core/certificates/issuance-backoff.ts';
import type { Lookup } from '../../../core/dns/dns-survey.ts';
import type { CertificateAuthority } from '../../../ports/certificates.ts';
import type { Dns } from '../../../ports/dns.ts';
import { findNewestCertificate } from '../../../store/certificates/certificates.ts';
import type { Context } from '../../context.ts';
import { acmeAccount } from '../acme-account.ts';
import { possibleMethods } from '../delegated-challenges.ts';
import { wantedNames, wwwOf } from '../wanted-names.ts';
import { findWait, type OrderRequest, recordProblem, takePlace } from './authority-limits.ts';
import type { OrderWork, StepOutcome } from './step-outcome.ts';

type Caa = (name: string) => Promise<readonly Lookup[]>;
type Chosen = Pick<CertificateOrder, 'names' | 'methods' | 'replaces'>;

/**
 * Chooses the authority for the next order: the first in the operator's list that has not failed in this attempt, is available and has
 * capacity. The CAA records must allow the authority with at least one challenge method (RFC 8659, RFC 8657).
 */
export async function chooseAuthority(work: OrderWork, order: CertificateOrder): Promise<StepOutcome> {
  const { context, issuance, dns, domain } = work;
  const waits = await findUnavoidableWaits(work, order);
  if (waits !== null) return withoutAuthority(order, waits);
  const wanted = order.without_www ? [domain.hostname] : await wantedNames(context, dns, domain);
  const joins = order.purpose === 'join_www';
  // The record of `www` no longer points to us, so there is nothing to add to the certificate.
  if (joins && wanted.length < 2) return withoutAuthority(order, [FAILED]);
  const caa = cacheCaa(dns);
  const obstacles: Obstacle[] = [];
  for (const authority of issuance.authorities) {
    let found = await tryAuthority(work, order, authority, wanted, caa);
    if ('reason' in found && wanted.length > 1 && !joins && !isTemporary(order, found)) {
      // If `www` cannot be included, try the apex alone.
      found = await tryAuthority(work, order, authority, wanted.slice(0, 1), caa);
    }
    if ('reason' in found) obstacles.push(found);
    else {
      const chosen = { ...order, ...found, ca: authority.ca.name };
      const request = orderRequestOf(work, order, found);
      return { kind: 'advance', order: chosen, unless: (tx) => takePlace(tx, authority.ca, request) };
    }
  }
  return withoutAuthority(order, obstacles);
}

function withoutAuthority(order: CertificateOrder, obstacles: readonly Obstacle[]): StepOutcome {
  const problem = problemOfAttempt(order) ?? leastObstacle(obstacles) ?? FAILED;
  return { kind: 'unobtained', order, problem, obstacles: summarizeObstacles(obstacles) };
}

/**
 * If an apex has to wait at every authority, with `www` and without, returns these waits; else null. Such an order has to wait whatever a
 * lookup of `www` finds. This saves many lookups when thousands of orders wait for capacity.
 */
async function findUnavoidableWaits(work: OrderWork, order: CertificateOrder): Promise<Obstacle[] | null> {
  const { hostname } = work.domain;
  const www = order.without_www ? null : wwwOf(work.domain);
  if (www === null) return null;
  const waits: Obstacle[] = [];
  for (const authority of work.issuance.authorities) {
    const replaces = await replacedBy(work, order, authority);
    for (const names of [[hostname, www], [hostname]]) {
      const wait = await knownWait(
        work.context,
        authority.ca,
        orderRequestOf(work, order, { names, replaces }),
      );
      if (wait === null) return null;
      waits.push(wait);
    }
  }
  return waits;
}

/**
 * Returns whether to keep `www` in a renewal although a CAA lookup failed. `www` is removed only once the first retries are used up. A
 * month is then still left until the certificate expires.
 */
function isTemporary({ purpose, failures }: CertificateOrder, { reason }: Obstacle): boolean {
  return purpose === 'renew' && reason === 'caa_lookup_failed' && failures < FAILURES_MAX;
}

const FAILED: Obstacle = { reason: 'ca_unavailable', until: null, at: null, found: null };

async function tryAuthority(
  work: OrderWork,
  order: CertificateOrder,
  authority: CertificateAuthority,
  names: readonly string[],
  caa: Caa,
): Promise<Chosen | Obstacle> {
  const { context, domain } = work;
  const { ca } = authority;
  const hasFailed = order.tried.includes(ca.name);
  const replaces = hasFailed ? null : await replacedBy(work, order, authority);
  const request = orderRequestOf(work, order, { names, replaces });
  // Checks that need no network request come first, because thousands of hostnames may wait for capacity.
  const wait = await knownWait(context, ca, request);
  if (wait !== null) return wait;
  if (hasFailed) return FAILED;

  const made = await readAccount(work, authority);
  if (!made.ok) {
    const { problem } = made;
    // The problem concerns our account, so the reason must not blame the hostname.
    const told = problemReason(problem, 'request');
    const reason = told === 'ca_rate_limited' || told === 'ca_unavailable' ? told : 'ca_refused';
    context.log.error({ ca: ca.name, problem }, 'a certificate authority refused to create an account');
    const until = await recordProblem(context, ca, problem, reason, []);
    return { ...FAILED, reason, until, found: problem.detail || null };
  }
  const possible = await possibleMethods(context, work.issuance, domain, names);
  if (possible.length === 0) return FAILED;
  const lookups = new Map(await Promise.all(names.map(async (name) => [name, await caa(name)] as const)));
  const allowed = allowedMethods(ca, made.account.account_url, possible, lookups);
  if ('refused' in allowed) {
    const { code, at, found } = allowed.verdict;
    return { reason: code, until: null, at, found };
  }
  // Every second attempt tries the methods in reverse order, in case the first method keeps failing.
  const methods = order.failures % 2 === 0 ? allowed.methods : allowed.methods.toReversed();
  return { names, methods, replaces };
}

/** Returns our account at an authority. Reads it only once while a worker processes an order. */
export async function readAccount(
  { context, accounts }: OrderWork,
  authority: CertificateAuthority,
): ReturnType<typeof acmeAccount> {
  const known = accounts.get(authority.ca.name);
  if (known !== undefined) return { ok: true, account: known };
  const made = await acmeAccount(context, authority);
  if (made.ok) accounts.set(authority.ca.name, made.account);
  return made;
}

function orderRequestOf(
  { job }: OrderWork,
  { purpose }: CertificateOrder,
  { names, replaces }: Pick<CertificateOrder, 'names' | 'replaces'>,
): OrderRequest {
  return { names, purpose, account_id: job.account_id, exempt: replaces !== null };
}

async function knownWait(context: Context, ca: Ca, request: OrderRequest): Promise<Obstacle | null> {
  const wait = await findWait(context, ca, request);
  return wait === null ? null : { ...FAILED, ...wait };
}

/**
 * Returns the ARI identifier of the certificate that this order replaces. Returns null if another authority issued that certificate, or if
 * the authority has no ARI.
 */
async function replacedBy(
  { context, domain }: OrderWork,
  { purpose }: CertificateOrder,
  { ca }: CertificateAuthority,
): Promise<string | null> {
  if (purpose === 'issue') return null;
  const current = await findNewestCertificate(context.store, domain.id);
  return current !== null && current.ca === ca.name && current.window !== null ? current.ari_id : null;
}

/** Returns a function that looks up the CAA records of each name only once, because every authority needs the same records. */
function cacheCaa(dns: Dns): Caa {
  const asked = new Map<string, Promise<readonly Lookup[]>>();
  return (name) => {
    const lookups = asked.get(name) ?? dns.caa(name);
    asked.set(name, lookups);
    return lookups;
  };
}
