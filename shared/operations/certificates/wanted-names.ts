import { isRecordGone, isSeenAndUncontested } from '../../core/dns/dns-confirmation.ts';
import type { Domain } from '../../core/domains/domain.ts';
import type { Dns } from '../../ports/dns.ts';
import { findNewestCertificate } from '../../store/certificates/certificates.ts';
import { findHold } from '../../store/domains/holds.ts';
import { findRouteOwner } from '../../store/domains/routes.ts';
import type { Context } from '../context.ts';
import { expectationFor } from '../dns/expectation-for.ts';

/** Returns the names that a domain's certificate should have now: its hostname and, for an apex that redirects `www`, that name. */
export async function wantedNames(context: Context, dns: Dns, domain: Domain): Promise<string[]> {
  const { hostname } = domain;
  const www = wwwOf(domain);
  return www !== null && (await isWanted(context, dns, domain, www)) ? [hostname, www] : [hostname];
}

/** Returns the `www` name that an apex redirects, or null if it redirects none. */
export function wwwOf({ hostname, is_apex, apex_redirect }: Domain): string | null {
  return is_apex && apex_redirect === 'www' ? `www.${hostname}` : null;
}

/**
 * Decides whether `www` belongs in the certificate. A separate domain for `www` takes precedence, but only once its DNS is confirmed,
 * because anyone can add any hostname (`docs/domains.md`). `www` is added once its record is right. It is removed only if DNS says for
 * certain that the record is gone or points elsewhere.
 */
async function isWanted(context: Context, dns: Dns, domain: Domain, www: string): Promise<boolean> {
  const { store } = context;
  if ((await findRouteOwner(store, www)) !== null || (await findHold(store, www)) !== null) return false;
  const expected = await expectationFor(context, { ...domain, hostname: www, is_apex: false });
  // The apex has proven ownership, so its `www` needs no TXT record of its own.
  const expectation = { ...expected, txtRequired: false };
  const { resolvers } = await dns.survey(expectation, 'again');
  if (isSeenAndUncontested(resolvers, expectation)) return true;
  const current = await findNewestCertificate(store, domain.id);
  return current?.names.includes(www) === true && !isRecordGone(resolvers, expectation);
}
