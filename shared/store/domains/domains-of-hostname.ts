import type { Domain } from '../../core/domains/domain.ts';
import { decidingNames } from '../../core/edge/edge-route.ts';
import type { DomainId } from '../../core/ids.ts';
import { DELETED } from '../row-values.ts';
import type { Store } from '../store.ts';
import { domainOf, reversed } from './domains.ts';

/** Returns the domains of a hostname across all apps and modes, sorted by id. Within a transaction it locks them, in this order. */
export async function findDomainsAt(store: Store, hostname: string): Promise<Domain[]> {
  return lockedDomains(store, selectExisting(store).where('reversed_hostname', '=', reversed(hostname)));
}

/**
 * Returns the domains that can hold a hostname, sorted by id: the live ones with this hostname, and the apex that redirects this `www.`
 * name. Within a transaction it locks them, in this order.
 */
export async function findClaimants(store: Store, hostname: string): Promise<Domain[]> {
  const names = decidingNames(hostname).map(reversed);
  return lockedDomains(
    store,
    selectExisting(store)
      .where('mode', '<>', 'test')
      .where('reversed_hostname', 'in', names)
      .where((eb) =>
        eb.or([
          eb('reversed_hostname', '=', reversed(hostname)),
          eb.and({ is_apex: 1 as const, apex_redirect: 'www' as const }),
        ]),
      ),
  );
}

/**
 * Returns the domain with its row locked, like those of all other domains of its hostname, in the order of ids. Lock it so if it may take the
 * hostname from them.
 */
export async function lockDomainAndRivals(store: Store, id: DomainId): Promise<Domain | null> {
  const name = store.db.selectFrom('domains').select('reversed_hostname').where('id', '=', id);
  const domains = await lockedDomains(store, selectExisting(store).where('reversed_hostname', '=', name));
  return domains.find((domain) => domain.id === id) ?? null;
}

/**
 * Locks the domains of all apps that a hold covers, one batch at a time. Call it within a transaction.
 * @param held an exact name, or `*.name` for all names below it.
 * @param after the last domain of the previous batch.
 */
export async function lockDomainsUnderHold(
  store: Store,
  held: string,
  limit: number,
  after: Pick<Domain, 'hostname' | 'id'> | null,
): Promise<Domain[]> {
  const name = reversed(held.replace(/^\*\./, ''));
  let query = store.db.selectFrom('domains').selectAll().where('status', '<>', DELETED);
  // `/` is the character after the dot.
  if (held.startsWith('*.')) {
    query = query.where('reversed_hostname', '>=', `${name}.`).where('reversed_hostname', '<', `${name}/`);
  } else {
    query = query.where('reversed_hostname', '=', name);
  }
  if (after !== null) {
    query = query.where((eb) =>
      eb(eb.refTuple('reversed_hostname', 'id'), '>', eb.tuple(reversed(after.hostname), after.id)),
    );
  }
  query = query.orderBy('reversed_hostname').orderBy('id').limit(limit);
  const rows = await (store.flags.rowLocks ? query.forUpdate() : query).execute();
  return rows.map(domainOf);
}

function selectExisting(store: Store) {
  return store.db.selectFrom('domains').selectAll().where('status', '<>', DELETED);
}

async function lockedDomains(store: Store, query: ReturnType<typeof selectExisting>): Promise<Domain[]> {
  const sorted = query.orderBy('id');
  const locks = store.flags.rowLocks && store.inTransaction;
  return (await (locks ? sorted.forUpdate() : sorted).execute()).map(domainOf);
}
