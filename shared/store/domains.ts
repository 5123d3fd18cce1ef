import { createHash } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Domain } from '../core/domain.ts';
import type { AccountId, AppId, DomainId } from '../core/ids.ts';
import type { Mode, Status } from '../core/status.ts';
import { olderThan, type Page, type PageRequest, toPage } from './page.ts';
import { DELETED, fromJson, ONE, toFlag, toJson } from './row-values.ts';
import type { Scope } from './scope.ts';
import type { Store } from './store.ts';
import type { DomainRow } from './tables.ts';

/** @returns false where the app already has this hostname (in either mode): nothing was written then. */
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

/** The domain with its row locked: whoever changes a status holds it first, so that events stay in order. */
export async function lockDomain(store: Store, scope: Scope, id: string): Promise<Domain | null> {
  const query = selectIn(store, scope).where('id', '=', id);
  const row = await (store.flags.row_locks ? query.forUpdate() : query).executeTakeFirst();
  return row ? domainOf(row) : null;
}

/** The same for work that comes from a job or a hold, which knows the id alone. */
export async function lockDomainById(store: Store, id: DomainId): Promise<Domain | null> {
  const query = store.db
    .selectFrom('domains')
    .selectAll()
    .where('id', '=', id)
    .where('status', '<>', DELETED);
  const row = await (store.flags.row_locks ? query.forUpdate() : query).executeTakeFirst();
  return row ? domainOf(row) : null;
}

/** For the edge and the connect page, which know the id alone; deleted ones included. */
export async function findDomainById(store: Store, id: DomainId): Promise<Domain | null> {
  const row = await store.db.selectFrom('domains').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? domainOf(row) : null;
}

/** Looks across modes: "hostname already in the app in the other mode" (section 4.3, rule 4). */
export async function findDomainOfApp(store: Store, app_id: AppId, hostname: string): Promise<Domain | null> {
  const row = await store.db
    .selectFrom('domains')
    .selectAll()
    .where('app_id', '=', app_id)
    .where('hostname', '=', hostname)
    .where('status', '<>', DELETED)
    .executeTakeFirst();
  return row ? domainOf(row) : null;
}

/** Looks across modes: "once the app has a live domain" (section 4.1, rule 3). */
export async function hasLiveDomain(store: Store, app_id: AppId): Promise<boolean> {
  const row = await store.db
    .selectFrom('domains')
    .select('id')
    .where('app_id', '=', app_id)
    .where('mode', '=', 'live')
    .where('status', '<>', DELETED)
    .limit(ONE)
    .executeTakeFirst();
  return row !== undefined;
}

export async function findDomainByConnectToken(store: Store, connect_token: string): Promise<Domain | null> {
  const row = await store.db
    .selectFrom('domains')
    .selectAll()
    .where('connect_token', '=', connect_token)
    .executeTakeFirst();
  return row ? domainOf(row) : null;
}

/**
 * Looks across apps: the domains that a hold of this name (or of all below it) covers, with their rows locked, a batch at a time. Call it
 * within a transaction.
 * @param after the last one of the batch before.
 */
export async function lockDomainsUnderHold(
  store: Store,
  held: string,
  limit: number,
  after: Pick<Domain, 'hostname' | 'id'> | null,
): Promise<Domain[]> {
  const name = reversed(held.replace(/^\*\./, ''));
  let query = store.db.selectFrom('domains').selectAll().where('status', '<>', DELETED);
  // `/` comes after the dot.
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
  const rows = await (store.flags.row_locks ? query.forUpdate() : query).execute();
  return rows.map(domainOf);
}

/** An app's domains of both modes and these statuses whose record points through this name. */
export async function findDomainsRoutedThrough(
  store: Store,
  app_id: AppId,
  name: string,
  statuses: readonly Status[],
  limit: number,
): Promise<DomainId[]> {
  const rows = await store.db
    .selectFrom('domains')
    .select('id')
    .where('app_id', '=', app_id)
    .where('routed_through', '=', name)
    .where('status', 'in', statuses)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id as DomainId);
}

/** Looks across apps: the live domains of a hostname, at most one an app. */
export async function findLiveDomains(store: Store, hostname: string): Promise<Domain[]> {
  const rows = await store.db
    .selectFrom('domains')
    .selectAll()
    .where('reversed_hostname', '=', reversed(hostname))
    .where('mode', '=', 'live')
    .where('status', '<>', DELETED)
    .orderBy('id')
    .execute();
  return rows.map(domainOf);
}

export interface DomainFilter {
  status?: Status | undefined;
  /** Lowercase. */
  hostname_prefix?: string | undefined;
  metadata?: Record<string, string> | undefined;
}

export async function listDomains(
  store: Store,
  scope: Scope,
  filter: DomainFilter,
  page: PageRequest,
): Promise<Page<Domain>> {
  let query = selectIn(store, scope);
  if (filter.status) query = query.where('status', '=', filter.status);
  if (filter.hostname_prefix) {
    // A range, not LIKE: `~` sorts after every character a hostname can have, and the index can serve it.
    query = query
      .where('hostname', '>=', filter.hostname_prefix)
      .where('hostname', '<', `${filter.hostname_prefix}~`);
  }
  for (const [key, value] of Object.entries(filter.metadata ?? {})) {
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('domain_metadata')
          .select('domain_id')
          .whereRef('domain_metadata.domain_id', '=', 'domains.id')
          .where('domain_metadata.entry', '=', metadataEntry(key, value)),
      ),
    );
  }
  const after = page.after;
  if (after) query = query.where((eb) => olderThan(eb, after));
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute();
  return toPage(rows.map(domainOf), page.limit);
}

/** Live domains of all the account's apps that count against its cap (section 4.3, rule 5): neither expired nor deleted. */
export async function countDomains(store: Store, account_id: AccountId): Promise<number> {
  const row = await liveDomains(store, account_id)
    .where('domains.status', '<>', DELETED)
    .where('domains.status', '<>', 'expired')
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** All that were ever added, deleted ones included: for the limit of a new account, which has few. */
export async function countAddedDomains(store: Store, account_id: AccountId): Promise<number> {
  return Number((await liveDomains(store, account_id).executeTakeFirstOrThrow()).count);
}

function liveDomains(store: Store, account_id: AccountId) {
  return store.db
    .selectFrom('domains')
    .innerJoin('apps', 'apps.id', 'domains.app_id')
    .where('apps.account_id', '=', account_id)
    .where('domains.mode', '=', 'live')
    .select((eb) => eb.fn.countAll<number>().as('count'));
}

/** Writes the whole domain; its row must be locked. */
export async function saveDomain(store: Store, domain: Domain): Promise<void> {
  await store.db.updateTable('domains').set(toRow(domain)).where('id', '=', domain.id).execute();
}

/** Replaces what the metadata filters see. */
export async function writeMetadata(store: Store, domain: Pick<Domain, 'id' | 'metadata'>): Promise<void> {
  await store.db.deleteFrom('domain_metadata').where('domain_id', '=', domain.id).execute();
  await insertMetadata(store, domain);
}

async function insertMetadata(store: Store, domain: Pick<Domain, 'id' | 'metadata'>): Promise<void> {
  const rows = Object.entries(domain.metadata ?? {}).flatMap(([key, value]) =>
    typeof value === 'string' ? [{ domain_id: domain.id, entry: metadataEntry(key, value) }] : [],
  );
  if (rows.length > 0) await store.db.insertInto('domain_metadata').values(rows).execute();
}

/** A digest, because Postgres cannot index a value as long as metadata may hold. */
function metadataEntry(key: string, value: string): string {
  return createHash('sha256')
    .update(JSON.stringify([key, value]))
    .digest('base64url');
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
    mode: row.mode as Mode,
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
