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
 * Returns whether the customer has delegated the challenges of a name to this domain, by a CNAME at `_acme-challenge` to the name that only
 * this domain has. Asks resolvers only once the zone's own servers have the CNAME, because they would cache a negative answer.
 * @returns false if the lookup failed too, because that proves nothing.
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
 * Returns which of these domains the customer has delegated the challenges of a name to. Null if it is none of them. Costs at most two
 * lookups, however many domains there are: any app can add a hostname.
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
  // Only a lookup for the target itself is confirmed by resolvers.
  if (found === null || found === first) return found;
  return (await isDelegated(context, found, name)) ? found : null;
}

const PROXIED_METHODS: readonly ChallengeMethod[] = ['http-01'];

/**
 * Returns the methods that we can answer for all the names, the preferred one first. Until a hostname leads to us, only its delegated
 * or redirected challenges can be answered.
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
    // A proxy that ends TLS cannot pass the handshake of TLS-ALPN-01 on.
    const isProxied = (await findDnsCheck(context.store, domain.id))?.path?.led_here ?? false;
    return [...byDns, ...(isProxied ? PROXIED_METHODS : EDGE_METHODS)];
  }
  return byDns.length > 0 || !(await isRedirected(context, issuance, domain)) ? [...byDns] : ['http-01'];
}
