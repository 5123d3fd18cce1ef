import type { CnameLookup } from '../../shared/ports/cname-lookup.ts';
import type { Store } from '../../shared/store/store.ts';
import { findFact } from './emulator-facts.ts';

/** What white-label look-ups find, as the control surface set it: no DNS is asked. */
export function createCnameFinds(store: Store): CnameLookup {
  return {
    async chain(host) {
      const found = (await findFact(store, 'cnames'))?.[host] ?? null;
      return found === null ? [] : [found];
    },
  };
}
