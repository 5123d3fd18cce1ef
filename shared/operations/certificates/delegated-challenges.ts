import {
  type ChallengeMethod,
  challengeName,
  delegationTarget,
  EDGE_METHODS,
} from '../../core/certificates/acme-challenge.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { isAwaitingDns } from '../../core/domains/status.ts';
import { findDnsCheck } from '../../store/domains/dns-checks.ts';
import type { Context, Issuance } from '../context.ts';
import { isRedirected } from './redirected-challenges.ts';

/**
 * Returns whether the customer has delegated the DNS-01 challenges of a name to this domain: a CNAME at `_acme-challenge` points to the
 * domain's own target. Queries resolvers only once the zone's own servers have the CNAME, because resolvers would cache a negative answer.
 * @returns false also if the lookup failed, because a failed lookup proves nothing.
 */
export async function isDelegated(
  { cnameLookup, settings }: Pick<Context, 'cnameLookup' | 'settings'>,
  domain: Pick<Domain, 'id'>,
  name: string,
): Promise<boolean> {
  if (settings.challengeZone === null) return false;
  const target = delegationTarget(domain.id, settings.challengeZone);
  const chain = await cnameLookup.chain(challengeName(name), { target, known: false });
  return chain?.includes(target) ?? false;
}

/**
 * Returns the domain to which the customer has delegated the challenges of a name, or null. Makes at most two lookups for any number of
 * domains, because any app can add a hostname.
 */
export async function findDelegated<D extends Pick<Domain, 'id'>>(
  context: Pick<Context, 'cnameLookup' | 'settings'>,
  domains: readonly D[],
  name: string,
): Promise<D | null> {
  const { challengeZone } = context.settings;
  const [first] = domains;
  if (challengeZone === null || first === undefined) return null;
  const target = delegationTarget(first.id, challengeZone);
  const chain = (await context.cnameLookup.chain(challengeName(name), { target, known: false })) ?? [];
  const found = domains.find(({ id }) => chain.includes(delegationTarget(id, challengeZone))) ?? null;
  // The lookup asked resolvers to confirm only the first domain's target. If another domain was found, look up the target of that domain.
  if (found === null || found === first) return found;
  return (await isDelegated(context, found, name)) ? found : null;
}

const PROXIED_METHODS: readonly ChallengeMethod[] = ['http-01'];

/**
 * Returns the challenge methods that we can answer for all the names, the preferred method first. Until a hostname points to us, we can
 * answer only delegated or redirected challenges.
 */
export async function possibleMethods(
  context: Context,
  issuance: Issuance,
  domain: Domain,
  names: readonly string[],
): Promise<ChallengeMethod[]> {
  const delegated = await Promise.all(names.map((name) => isDelegated(context, domain, name)));
  const byDns = delegated.every(Boolean) ? (['dns-01'] as const) : [];
  if (!isAwaitingDns(domain.status)) {
    // A proxy that terminates TLS does not forward the handshake of TLS-ALPN-01 to us.
    const isProxied = (await findDnsCheck(context.store, domain.id))?.path?.led_here ?? false;
    return [...byDns, ...(isProxied ? PROXIED_METHODS : EDGE_METHODS)];
  }
  return byDns.length > 0 || !(await isRedirected(context, issuance, domain)) ? [...byDns] : ['http-01'];
}
