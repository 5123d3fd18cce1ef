import type { CnameLookup } from '../shared/ports/cname-lookup.ts';
import type { FactTable } from './emulator-facts.ts';

/** What white-label look-ups find, as the control surface set it: no DNS is asked. */
export function createCnameFinds(facts: FactTable): CnameLookup {
  return {
    async chain(host) {
      const found = (await facts.get('cnames'))?.[host] ?? null;
      return found === null ? [] : [found];
    },
  };
}
