import { isRecordGone, isSeenAndUncontested } from '../../core/dns/dns-confirmation.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { isAwaitingDns } from '../../core/domains/status.ts';
import type { Dns } from '../../ports/dns.ts';
import { findNewestCertificate } from '../../store/certificates/certificates.ts';
import { findHold } from '../../store/domains/holds.ts';
import { findRouteOwner } from '../../store/domains/routes.ts';
import type { Context } from '../context.ts';
import { expectationOfWww } from '../dns/hostname-claimants.ts';
import { isDelegated } from './delegated-challenges.ts';

/** Returns the names that a domain's certificate should have now: the hostname and, for an apex that redirects `www`, the `www` name. */
export async function wantedNames(context: Context, dns: Dns, domain: Domain): Promise<string[]> {
  const { hostname } = domain;
  const www = wwwOf(domain);
  return www !== null && (await isWanted(context, dns, domain, www)) ? [hostname, www] : [hostname];
}

/** Returns the `www` name that an apex redirects, or null if the domain redirects no name. */
export function wwwOf({ hostname, is_apex, apex_redirect }: Domain): string | null {
  return is_apex && apex_redirect === 'www' ? `www.${hostname}` : null;
}

/** Returns whether an apex redirects a `www` name that is not among these names of its certificate. */
export function lacksWww(domain: Domain, names: readonly string[]): boolean {
  const www = wwwOf(domain);
  return www !== null && !names.includes(www);
}

/**
 * Returns whether the certificate can include `www` before the hostname points to us: the challenges of both names are delegated, and no
 * other domain has `www`.
 */
export async function canPrepareWww(context: Context, domain: Domain, www: string): Promise<boolean> {
  if (await isTaken(context, domain, www)) return false;
  return (await isDelegated(context, domain, www)) && (await isDelegated(context, domain, domain.hostname));
}

/**
 * Decides whether `www` belongs in the certificate. A separate domain for `www` takes precedence, but only once its DNS is confirmed,
 * because anyone can add any hostname (`docs/domains.md`). Once the apex is confirmed, `www` is added when its record is right. A
 * certificate loses `www` only if all lookups agree that the record is gone or points elsewhere.
 */
async function isWanted(context: Context, dns: Dns, domain: Domain, www: string): Promise<boolean> {
  if (isAwaitingDns(domain.status)) return canPrepareWww(context, domain, www);
  const { store } = context;
  if (await isTaken(context, domain, www)) return false;
  const expectation = await expectationOfWww(context, domain, www);
  const { resolvers } = await dns.survey(expectation, 'again');
  if (isSeenAndUncontested(resolvers, expectation)) return true;
  const current = await findNewestCertificate(store, domain.id);
  if (current?.names.includes(www) !== true) return false;
  // If the customer has moved only the apex so far, keep `www` in the certificate, so that `www` can be moved later.
  return !isRecordGone(resolvers, expectation) || (await canPrepareWww(context, domain, www));
}

/** Returns whether another domain has the `www.` name, or the name is held for review. */
async function isTaken({ store }: Context, { id }: Domain, www: string): Promise<boolean> {
  const ownerId = await findRouteOwner(store, www);
  return (ownerId !== null && ownerId !== id) || (await findHold(store, www)) !== null;
}
