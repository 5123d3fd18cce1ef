import { allRight } from '../../core/dns-confirmation.ts';
import type { Domain } from '../../core/domain.ts';
import type { Dns } from '../../ports/dns.ts';
import { findDomainOfApp, isDomainOfOtherApp } from '../../store/domains.ts';
import { findHold } from '../../store/holds.ts';
import type { Context } from '../context.ts';
import { expectationFor } from '../expectation-for.ts';

/** The names that a domain's certificate should have now: its hostname, and `www` of an apex that redirects it and whose record is right. */
export async function wantedNames(context: Context, dns: Dns, domain: Domain): Promise<string[]> {
  const { hostname } = domain;
  const www = wwwOf(domain);
  return www !== null && (await mayJoin(context, dns, domain, www)) ? [hostname, www] : [hostname];
}

/** The name that an apex redirects, or null where it redirects none. */
export function wwwOf({ hostname, is_apex, apex_redirect }: Domain): string | null {
  return is_apex && apex_redirect === 'www' ? `www.${hostname}` : null;
}

/** An explicit domain of that name, in any app, beats the redirect (`docs/domains.md`). */
async function mayJoin(context: Context, dns: Dns, domain: Domain, www: string): Promise<boolean> {
  const { store } = context;
  const own = await findDomainOfApp(store, domain.app_id, www);
  if (own?.mode === 'live' || (await isDomainOfOtherApp(store, domain.app_id, www, ['live']))) return false;
  if ((await findHold(store, www)) !== null) return false;
  const expected = await expectationFor(context, { ...domain, hostname: www, is_apex: false });
  // The apex has proven whose it is: for a name below it the way to us is enough.
  const expectation = { ...expected, txt_required: false };
  const { resolvers } = await dns.survey(expectation, 'again');
  return allRight(resolvers, expectation);
}
