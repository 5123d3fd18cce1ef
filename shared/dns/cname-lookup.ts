import { firstTarget, isDefinite } from '../core/dns/dns-confirmation.ts';
import type { Lookup } from '../core/dns/dns-survey.ts';
import type { CnameLookup, Dns } from '../ports/dns.ts';

/**
 * Creates the lookup for checks of white-label hosts. While the zone's own servers have a wrong record, returns their answer. Otherwise
 * returns the answer that two resolvers agree on; null if no two agree.
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
