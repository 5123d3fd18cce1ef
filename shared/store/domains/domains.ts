import type { Insertable } from 'kysely';
import type { Domain } from '../../core/domains/domain.ts';
import type { DomainMode, Status } from '../../core/domains/status.ts';
import type { AppId, DomainId } from '../../core/ids.ts';
import { DELETED, fromJson, LISTED, ONE, toFlag, toJson } from '../row-values.ts';
import type { Scope } from '../scope.ts';
import type { Store } from '../store.ts';
import type { DomainRow } from '../tables.ts';
import { deleteMetadata, insertMetadata } from './domain-metadata.ts';

/** Inserts a domain. @returns false if the app already has this hostname in either mode; nothing is written then. */
export async function insertDomain(store: Store, domain: Domain): Promise<boolean> {
  const result = await store.db
    .insertInto('domains')
    .values(toRow(domain))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (result.numInsertedOrUpdatedRows !== 1n) return false;
  await insertMetadata(store, domain);
  return true;
}

export async function findDomain(store: Store, scope: Scope, id: string): Promise<Domain | null> {
  const row = await selectIn(store, scope).where('id', '=', id).executeTakeFirst();
  return row ? domainOf(row) : null;
}

/** Returns the domain with its row locked. Every change of status takes this lock first, so that events stay in order. */
export async function lockDomain(store: Store, scope: Scope, id: string): Promise<Domain | null> {
  const query = selectIn(store, scope).where('id', '=', id);
  const row = await (store.flags.rowLocks ? query.forUpdate() : query).executeTakeFirst();
  return row ? domainOf(row) : null;
}

/** Returns the domain with its row locked, for jobs and holds, which know only the id. */
export async function lockDomainById(store: Store, id: DomainId): Promise<Domain | null> {
  const query = store.db
    .selectFrom('domains')
    .selectAll()
    .where('id', '=', id)
    .where('status', '<>', DELETED);
  const row = await (store.flags.rowLocks ? query.forUpdate() : query).executeTakeFirst();
  return row ? domainOf(row) : null;
}

/** Returns a domain by its id alone, for the edge and the connect page. Includes deleted domains. */
export async function findDomainById(store: Store, id: DomainId): Promise<Domain | null> {
  const row = await store.db.selectFrom('domains').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? domainOf(row) : null;
}

/** Finds an app's domain in either mode: "hostname already in the app in the other mode" (`docs/api.md#domains`). */
export async function findDomainOfApp(store: Store, appId: AppId, hostname: string): Promise<Domain | null> {
  const row = await selectByHostname(store, appId, hostname).where('mode', '<>', 'host').executeTakeFirst();
  return row ? domainOf(row) : null;
}

/** Finds the domain that an app's white-label host has of itself, which serves the connect pages (`decisions/0049`). */
export async function findHostDomain(store: Store, appId: AppId, host: string): Promise<Domain | null> {
  const row = await selectByHostname(store, appId, host).where('mode', '=', 'host').executeTakeFirst();
  return row ? domainOf(row) : null;
}

/** Returns whether the app has a live domain (`docs/api.md#apps`), whatever the caller's mode. */
export async function hasLiveDomain(store: Store, appId: AppId): Promise<boolean> {
  const row = await store.db
    .selectFrom('domains')
    .select('id')
    .where('app_id', '=', appId)
    .where('mode', '=', 'live')
    .where('status', '<>', DELETED)
    .where(LISTED)
    .limit(ONE)
    .executeTakeFirst();
  return row !== undefined;
}

export async function findDomainByConnectToken(store: Store, connectToken: string): Promise<Domain | null> {
  const row = await store.db
    .selectFrom('domains')
    .selectAll()
    .where('connect_token', '=', connectToken)
    .executeTakeFirst();
  return row ? domainOf(row) : null;
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

/** Returns an app's domains, in both modes, with one of these statuses and a record that points through this name. */
export async function findDomainsRoutedThrough(
  store: Store,
  appId: AppId,
  name: string,
  statuses: readonly Status[],
  limit: number,
): Promise<DomainId[]> {
  const rows = await store.db
    .selectFrom('domains')
    .select('id')
    .where('app_id', '=', appId)
    .where('routed_through', '=', name)
    .where('status', 'in', statuses)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id as DomainId);
}

/** Returns the live domains of a hostname across all apps, white-label hosts included, at most one per app. */
export async function findLiveDomains(store: Store, hostname: string): Promise<Domain[]> {
  const rows = await store.db
    .selectFrom('domains')
    .selectAll()
    .where('reversed_hostname', '=', reversed(hostname))
    .where('mode', '<>', 'test')
    .where('status', '<>', DELETED)
    .orderBy('id')
    .execute();
  return rows.map(domainOf);
}

/** Writes the whole domain. Its row must be locked. Removes the metadata of a deleted domain, so that no filter finds it. */
export async function saveDomain(store: Store, domain: Domain): Promise<void> {
  await store.db.updateTable('domains').set(toRow(domain)).where('id', '=', domain.id).execute();
  if (domain.status === 'deleted') await deleteMetadata(store, domain);
}

function selectByHostname(store: Store, appId: AppId, hostname: string) {
  return store.db
    .selectFrom('domains')
    .selectAll()
    .where('app_id', '=', appId)
    .where('hostname', '=', hostname)
    .where('status', '<>', DELETED);
}

function selectIn(store: Store, scope: Scope) {
  return store.db
    .selectFrom('domains')
    .selectAll()
    .where('app_id', '=', scope.app_id)
    .where('mode', '=', scope.mode)
    .where('status', '<>', DELETED);
}

function reversed(hostname: string): string {
  return hostname.split('').reverse().join('');
}

export function domainOf({ reversed_hostname: _, ...row }: DomainRow): Domain {
  return {
    ...row,
    id: row.id as DomainId,
    app_id: row.app_id as AppId,
    mode: row.mode as DomainMode,
    is_apex: row.is_apex === 1,
    status_detail: fromJson(row.status_detail),
    certificate: fromJson(row.certificate),
    metadata: fromJson(row.metadata),
    origin_headers: fromJson(row.origin_headers),
  };
}

function toRow(domain: Domain): Insertable<DomainRow> {
  return {
    ...domain,
    reversed_hostname: reversed(domain.hostname),
    is_apex: toFlag(domain.is_apex),
    status_detail: toJson(domain.status_detail),
    certificate: toJson(domain.certificate),
    metadata: toJson(domain.metadata),
    origin_headers: toJson(domain.origin_headers),
  };
}
