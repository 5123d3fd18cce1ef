import type { CnameLookup } from '../../shared/ports/cname-lookup.ts';
import type { Store } from '../../shared/store/store.ts';
import { findFact } from './emulator-facts.ts';

/** Creates a CNAME lookup for white-label hosts that returns the records set through the control surface, without asking any DNS server. */
export function createStoredCnameLookup(store: Store): CnameLookup {
  return {
    async chain(host) {
      const found = (await findFact(store, 'cnames'))?.[host] ?? null;
      return found === null ? [] : [found];
    },
  };
}
