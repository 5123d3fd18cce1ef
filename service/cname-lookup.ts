import { Resolver } from 'node:dns/promises';
import type { CnameLookup } from '../shared/ports/cname-lookup.ts';

/** A chain longer than this is a loop, or as good as one. */
const HOPS_MAX = 16;
const TIMEOUT_MS = 3000;
/** Definite answers: the name is not there, or has no such record (`docs/domains.md`). */
const DEFINITE_NO = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * The CNAME chain of a host as public resolvers see it. All are asked side by side; what two of them agree on is the answer, and
 * anything less is "could not tell".
 * @param resolvers addresses, with a port where it is not 53.
 */
export function createCnameLookup(resolvers: readonly string[]): CnameLookup {
  const askers = resolvers.map((address) => {
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 });
    resolver.setServers([address]);
    return resolver;
  });
  const agreement = Math.min(2, askers.length);
  return {
    async chain(host) {
      const answers = await Promise.all(askers.map((resolver) => follow(resolver, host)));
      const definite = answers.filter((chain) => chain !== null);
      return (
        definite.find((chain) => definite.filter((other) => same(chain, other)).length >= agreement) ?? null
      );
    },
  };
}

/** @returns null where it could not be told. */
async function follow(resolver: Resolver, host: string): Promise<string[] | null> {
  const chain: string[] = [];
  for (let name = host; chain.length < HOPS_MAX; ) {
    try {
      const [target] = await resolver.resolveCname(name);
      if (target === undefined) return chain;
      name = target.toLowerCase().replace(/\.$/, '');
      if (chain.includes(name)) return chain;
      chain.push(name);
    } catch (error) {
      return DEFINITE_NO.has((error as NodeJS.ErrnoException).code ?? '') ? chain : null;
    }
  }
  return chain;
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index]);
}
