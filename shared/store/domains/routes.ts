import { sql } from 'kysely';
import type { Domain } from '../../core/domains/domain.ts';
import type { AppId, DomainId } from '../../core/ids.ts';
import { rowList } from '../row-list.ts';
import { DELETED, fromJson } from '../row-values.ts';
import type { Store } from '../store.ts';
import type { DomainRow } from '../tables.ts';

/** Routes the hostname to this domain. Call it within a transaction. @returns the domain that had the route before, or null. */
export async function takeRoute(
  store: Store,
  hostname: string,
  domainId: DomainId,
): Promise<DomainId | null> {
  // The insert comes first. If two domains take a free name at once, the second one waits here and then sees the first.
  if (await takeFreeRoute(store, hostname, domainId)) return null;
  const before = await findRouteOwner(store, hostname);
  // The route was deleted between the two statements, so the name is free.
  if (before === null) return takeRoute(store, hostname, domainId);
  if (before === domainId) return null;
  await store.db
    .updateTable('routes')
    .set({ domain_id: domainId })
    .where('hostname', '=', hostname)
    .execute();
  return before;
}

/** Routes the hostname to this domain if no domain has it. @returns whether it was free. */
export async function takeFreeRoute(store: Store, hostname: string, domainId: DomainId): Promise<boolean> {
  const inserted = await store.db
    .insertInto('routes')
    .values({ hostname, domain_id: domainId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/** Returns the domain of a hostname's route. Within a transaction it locks the row, so that two domains with the same name take turns. */
export async function findRouteOwner(store: Store, hostname: string): Promise<DomainId | null> {
  const query = store.db.selectFrom('routes').select('domain_id').where('hostname', '=', hostname);
  const row = await (store.flags.rowLocks && store.inTransaction
    ? query.forUpdate()
    : query
  ).executeTakeFirst();
  return (row?.domain_id as DomainId | undefined) ?? null;
}

export async function dropRoutes(store: Store, domainId: DomainId): Promise<void> {
  await store.db.deleteFrom('routes').where('domain_id', '=', domainId).execute();
}

/** The fields of a domain that determine its route. */
export type RoutedDomain = Pick<Domain, (typeof ROUTED_FIELDS)[number]>;

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

/** Lists domains that have their hostname's route, sorted by hostname, starting after a given one. Can be limited to one app. */
export async function listRoutedDomains(
  store: Store,
  { after, limit, app_id }: { after: string; limit: number; app_id?: AppId },
): Promise<RoutedDomain[]> {
  let query = routed(store).limit(limit);
  // Uses the index that starts with the app, because an app may have only ten of a million hostnames.
  query =
    app_id === undefined
      ? query.where('routes.hostname', '>', after).orderBy('routes.hostname')
      : query
          .where('domains.app_id', '=', app_id)
          .where('domains.status', '<>', DELETED)
          .where('domains.hostname', '>', after)
          .orderBy('domains.hostname');
  return (await query.execute()).map(routedDomainOf);
}

/** Finds the domains that hold the routes of these hostnames. */
export async function findRoutedDomains(store: Store, hostnames: readonly string[]): Promise<RoutedDomain[]> {
  const given = rowList(
    store,
    { hostname: 'text' },
    hostnames.map((hostname) => ({ hostname })),
  );
  const rows = await routed(store)
    .where('routes.hostname', 'in', sql<string>`(select hostname from ${given})`)
    .execute();
  return rows.map(routedDomainOf);
}

function routed({ db }: Store) {
  return db
    .selectFrom('routes')
    .innerJoin('domains', 'domains.id', 'routes.domain_id')
    .select(ROUTED_FIELDS.map((field) => `domains.${field}` as const));
}

function routedDomainOf(row: Pick<DomainRow, (typeof ROUTED_FIELDS)[number]>): RoutedDomain {
  return {
    ...row,
    id: row.id as DomainId,
    app_id: row.app_id as AppId,
    certificate: fromJson(row.certificate),
    origin_headers: fromJson(row.origin_headers),
  };
}
