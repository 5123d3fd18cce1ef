import {
  type ChallengeMethod,
  challengeName,
  delegationTarget,
  EDGE_METHODS,
} from '../../core/certificates/acme-challenge.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { isAwaitingDns } from '../../core/domains/status.ts';
import type { Context, Issuance } from '../context.ts';
import { isRedirected } from './redirected-challenges.ts';

/**
 * Returns whether the customer has delegated the challenges of a name to this domain: a CNAME at `_acme-challenge` leads to the name that
 * only this domain has. No resolver is asked before the zone's own servers say so, because it would remember the negative answer.
 * @returns false also if the lookup failed, which proves nothing.
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
  if (!isAwaitingDns(domain.status)) return [...byDns, ...EDGE_METHODS];
  return byDns.length > 0 || !(await isRedirected(context, issuance, domain)) ? [...byDns] : ['http-01'];
}
