import { monotonicClock } from '../../shared/adapters/system-clock.ts';
import { systemRandom } from '../../shared/adapters/system-random.ts';
import { type DelegationProblem, delegationProblems } from '../../shared/core/dns/delegation-problems.ts';
import { surveyDelegation } from '../../shared/dns/delegation-survey.ts';
import type { ServiceConfig } from '../config.ts';

/** A zone of the role `dns`, with the problems of its delegation as seen from this machine. */
export interface CheckedDelegation {
  zone: string;
  problems: readonly DelegationProblem[];
}

/**
 * Checks the delegation of both zones from outside. Returns an empty list if the settings name no DNS servers.
 * @param authorityPort port of name servers, 53 by default. Tests use another one.
 */
export async function checkDelegations(
  { settings, dns, resolvers }: Pick<ServiceConfig, 'settings' | 'dns' | 'resolvers'>,
  authorityPort?: number,
): Promise<CheckedDelegation[]> {
  if (dns === null) return [];
  const options = {
    resolvers,
    allowLoopback: settings.allowLoopback,
    ...(authorityPort === undefined ? {} : { authorityPort }),
    random: systemRandom,
    clock: monotonicClock,
  };
  const expected = { servers: dns.servers, ipv4: settings.edgeIpv4 };
  return Promise.all(
    [settings.edgeZone, settings.sandboxZone].map(async (zone) => ({
      zone,
      problems: delegationProblems(await surveyDelegation(zone, options), expected),
    })),
  );
}
