import { firstTarget, isDefinite } from '../core/dns/dns-confirmation.ts';
import type { Lookup } from '../core/dns/dns-survey.ts';
import type { CnameLookup, Dns } from '../ports/dns.ts';

/**
 * Creates the lookup of the white-label check. Until the zone's own servers are right, their answer counts. After that, two resolvers must
 * agree; otherwise the lookup has failed.
 */
export function createCnameLookup(dns: Pick<Dns, 'chain' | 'ownChain'>): CnameLookup {
  return {
    async chain(host, { target, known }) {
      if (!known) {
        const own = await dns.ownChain(host, target);
        if (isDefinite(own) && firstTarget(own, [target]) === null) return targetsOf(own);
      }
      const lookups = await dns.chain(host);
      const agreement = Math.min(2, lookups.length);
      const chains = lookups.filter(isDefinite).map(targetsOf);
      return chains.find((chain) => chains.filter((other) => same(chain, other)).length >= agreement) ?? null;
    },
  };
}

function targetsOf({ records }: Lookup): string[] {
  return records.flatMap(({ type, value }) => (type === 'CNAME' ? [value] : []));
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index]);
}
