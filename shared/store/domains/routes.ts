import { sql } from 'kysely';
import type { Domain } from '../../core/domains/domain.ts';
import type { DomainId } from '../../core/ids.ts';
import { isOneOf } from '../row-list.ts';
import { DELETED, fromJson } from '../row-values.ts';
import { isTransaction, type Store, type Tx } from '../store.ts';
import { reversed } from './domains.ts';

/**
 * Routes the hostname to this domain. Call this within a transaction.
 * @param isServed whether the domain has a certificate. If not, the edge serves the previous domain until `serveHolder` is called.
 * @returns the domain that had the route before, which may be this domain. Null if the hostname had no route.
 */
export async function takeRoute(
  tx: Tx,
  hostname: string,
  domainId: DomainId,
  isServed: boolean,
): Promise<DomainId | null> {
  // The insert comes first. If two domains take a free name at the same time, the second one waits here and then finds the route of the
  // first.
  if (await takeFreeRoute(tx, hostname, domainId)) return null;
  const before = await findRoute(tx, hostname);
  // Another transaction deleted the route between the two statements, so the name is free.
  if (before === null) return takeRoute(tx, hostname, domainId, isServed);
  const { domain_id, served_id } = before;
  const servedId = served_id ?? domain_id;
  const isReplaced = isServed || servedId === domainId;
  await tx.db
    .updateTable('routes')
    .set(({ selectFrom }) => ({
      domain_id: domainId,
      // An apex that redirects its `www.` name is served at its own hostname.
      served_id: isReplaced
        ? null
        : selectFrom('domains').select('id').where('id', '=', servedId).where('hostname', '=', hostname),
    }))
    .where('hostname', '=', hostname)
    .execute();
  return domain_id;
}

/**
 * Makes the edge serve this domain, and no longer the previous domain, at each of these names whose route this domain has.
 * @returns the names at which the edge served the previous domain.
 */
export async function serveHolder(tx: Tx, domainId: DomainId, names: readonly string[]): Promise<string[]> {
  const changed = await tx.db
    .updateTable('routes')
    .set({ served_id: null })
    .where('domain_id', '=', domainId)
    .where('served_id', 'is not', null)
    .where('hostname', 'in', names)
    .returning('hostname')
    .execute();
  return changed.map(({ hostname }) => hostname);
}

/** Routes the hostname to this domain if no domain has it. @returns whether this domain got the route. */
export async function takeFreeRoute(tx: Tx, hostname: string, domainId: DomainId): Promise<boolean> {
  const inserted = await tx.db
    .insertInto('routes')
    .values({ hostname, domain_id: domainId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** The route of a hostname. */
export interface Route {
  /** The domain that has the hostname. */
  domain_id: DomainId;
  /** The previous domain, which the edge serves until `domain_id` has a certificate; null after that. */
  served_id: DomainId | null;
}

/**
 * Returns a hostname's route. Within a transaction, locks the row, so that two domains with the same hostname cannot change the route at
 * the same time.
 */
export async function findRoute(store: Store, hostname: string): Promise<Route | null> {
  const query = store.db
    .selectFrom('routes')
    .select(['domain_id', 'served_id'])
    .where('hostname', '=', hostname);
  const row = await (store.flags.rowLocks && isTransaction(store)
    ? query.forUpdate()
    : query
  ).executeTakeFirst();
  return row ?? null;
}

/** Returns the domain that has a hostname's route, even if the route is provisional. Within a transaction, locks the route's row. */
export async function findRouteOwner(store: Store, hostname: string): Promise<DomainId | null> {
  return (await findRoute(store, hostname))?.domain_id ?? null;
}

/**
 * Deletes the routes of a domain. If another domain has taken a hostname from the domain, the edge now serves that other domain.
 * @returns the hostnames that no longer have a route (`freed`), and those at which the edge now serves another domain (`passed`).
 */
export async function dropRoutes(tx: Tx, domainId: DomainId): Promise<{ freed: string[]; passed: string[] }> {
  const dropped = await tx.db
    .deleteFrom('routes')
    .where('domain_id', '=', domainId)
    .returning('hostname')
    .execute();
  const passed = await tx.db
    .updateTable('routes')
    .set({ served_id: null })
    .where('served_id', '=', domainId)
    .returning('hostname')
    .execute();
  return { freed: dropped.map(({ hostname }) => hostname), passed: passed.map(({ hostname }) => hostname) };
}

/** Deletes the route of the `www.` name that an apex redirects. @returns the `www.` name if its route was deleted, else an empty list. */
export async function dropWwwRoute(
  tx: Tx,
  { id, hostname }: Pick<Domain, 'id' | 'hostname'>,
): Promise<string[]> {
  const dropped = await tx.db
    .deleteFrom('routes')
    .where('domain_id', '=', id)
    .where('hostname', '<>', hostname)
    .returning('hostname')
    .execute();
  return dropped.map((route) => route.hostname);
}

/** Stops accepting delegated challenges as proof of ownership for the live domains of these hostnames. Their TXT values stay the same. */
export async function endDelegations(tx: Tx, hostnames: readonly string[]): Promise<void> {
  if (hostnames.length === 0) return;
  await tx.db
    .updateTable('domains')
    .set((eb) => ({ retired_at: eb.ref('created_at') }))
    .where('reversed_hostname', 'in', hostnames.map(reversed))
    .where('retired_at', 'is', null)
    .where('mode', '<>', 'test')
    .where('status', '<>', DELETED)
    .execute();
}

/** The fields of a domain that determine its route. */
export interface RoutedDomain extends Pick<Domain, (typeof ROUTED_FIELDS)[number]> {
  /** The domain that has the hostname's route. It differs from `id` while the edge still serves the previous domain. */
  holder_id: DomainId;
}

const ROUTED_FIELDS = [
  'id',
  'app_id',
  'mode',
  'hostname',
  'status',
  'certificate',
  'origin',
  'origin_headers',
  'apex_redirect',
] as const;

/** Finds the domains that the edge serves at these hostnames. */
export async function findRoutedDomains(store: Store, hostnames: readonly string[]): Promise<RoutedDomain[]> {
  const rows = await store.db
    .selectFrom('routes')
    // An apex can also have the route of the `www.` name that it redirects. The list leaves that route out, because the route of the apex
    // includes the redirect.
    .innerJoin('domains', (join) =>
      join
        .on('domains.id', '=', sql<DomainId>`coalesce(routes.served_id, routes.domain_id)`)
        .onRef('domains.hostname', '=', 'routes.hostname'),
    )
    .select(ROUTED_FIELDS.map((field) => `domains.${field}` as const))
    .select('routes.domain_id as holder_id')
    .where(isOneOf(store, 'routes.hostname', hostnames))
    .execute();
  return rows.map((row) => ({
    ...row,
    certificate: fromJson(row.certificate),
    origin_headers: fromJson(row.origin_headers),
  }));
}
