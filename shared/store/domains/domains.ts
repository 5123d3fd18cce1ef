import { type Insertable, sql } from 'kysely';
import type { AddressingApp } from '../../core/apps/app.ts';
import { scheduledChecks } from '../../core/domains/cadence.ts';
import type { Domain } from '../../core/domains/domain.ts';
import type { Status } from '../../core/domains/status.ts';
import type { AppId, DomainId } from '../../core/ids.ts';
import { compileOnce } from '../compile-once.ts';
import type { JobLease } from '../jobs/jobs.ts';
import { DELETED, fromJson, LISTED, ONE, toFlag, toJson } from '../row-values.ts';
import { runTogether, type Statement } from '../run-together.ts';
import type { Scope } from '../scope.ts';
import type { Store, Tx } from '../store.ts';
import type { DomainRow } from '../tables.ts';
import { metadataDeletion, metadataInsertion } from './domain-metadata.ts';

/** Returns the statements that insert a domain. The first statement fails if the app already has this hostname in any mode. */
export function domainInsertion(tx: Tx, domain: Domain): Statement[] {
  return [insertRow(tx, toRow(domain)), ...metadataInsertion(tx, domain)];
}

const insertRow = compileOnce((tx: Tx, row: Insertable<DomainRow>) =>
  tx.db.insertInto('domains').values(row).compile(),
);

export async function findDomain(store: Store, scope: Scope, id: string): Promise<Domain | null> {
  const row = await selectIn(store, scope)
    .where('id', '=', id as DomainId)
    .executeTakeFirst();
  return row ? domainOf(row) : null;
}

/** Finds a domain together with the columns of its app that determine the customer's CNAME target, in one query. */
export async function findDomainAndApp(
  store: Store,
  scope: Scope,
  id: string,
): Promise<{ domain: Domain; app: AddressingApp } | null> {
  const asked = { app_id: scope.app_id, mode: scope.mode, id: id as DomainId };
  const [row] = (await store.db.executeQuery(selectDomainAndApp(store, asked))).rows;
  if (row === undefined) return null;
  const { account_id, target_label, whitelabel_host } = row;
  const app = {
    id: row.app_id,
    account_id,
    target_label,
    whitelabel_host,
    whitelabel_verified: row.whitelabel_verified === 1,
  };
  return { domain: domainOf(row), app };
}

const selectDomainAndApp = compileOnce((store: Store, given: Scope & { id: DomainId }) =>
  domainRows(store)
    .innerJoin('apps', 'apps.id', 'domains.app_id')
    .select(['account_id', 'target_label', 'whitelabel_host', 'whitelabel_verified'])
    .where('domains.id', '=', given.id)
    .where('app_id', '=', given.app_id)
    .where('mode', '=', given.mode)
    .where('status', '<>', DELETED)
    .compile(),
);

/** Returns the domain and locks its row. Every change of a domain's status takes this lock first, so that events stay in order. */
export async function lockDomain(store: Store, scope: Scope, id: string): Promise<Domain | null> {
  const query = selectIn(store, scope).where('id', '=', id as DomainId);
  const row = await (store.flags.rowLocks ? query.forUpdate() : query).executeTakeFirst();
  return row ? domainOf(row) : null;
}

/** Returns the domain and locks its row. Used by jobs and holds, which know only the domain's id. */
export async function lockDomainById(store: Store, id: DomainId): Promise<Domain | null> {
  const query = domainRows(store).where('id', '=', id).where('status', '<>', DELETED);
  const row = await (store.flags.rowLocks ? query.forUpdate() : query).executeTakeFirst();
  return row ? domainOf(row) : null;
}

/**
 * Locks a job's domain and then the job, and returns the domain. Returns null if the lease is lost or the domain is gone. If another
 * transaction changed the domain while this function waited for the row, it also replaced the job, so the lease is lost.
 */
export async function lockDomainUnderLease(store: Store, job: JobLease): Promise<Domain | null> {
  const { kind, subject_id, lease_id } = job;
  const [row] = (await store.db.executeQuery(selectUnderLease(store, { kind, subject_id, lease_id }))).rows;
  return row ? domainOf(row) : null;
}

const selectUnderLease = compileOnce((store: Store, given: JobLease) => {
  const query = domainRows(store)
    .innerJoin('jobs', 'jobs.subject_id', 'domains.id')
    .where('domains.id', '=', given.subject_id as DomainId)
    .where('domains.status', '<>', DELETED)
    .where('jobs.kind', '=', given.kind)
    .where('jobs.lease_id', '=', given.lease_id);
  return (store.flags.rowLocks ? query.forUpdate(['domains', 'jobs']) : query).compile();
});

/** Returns a domain by its id alone, for the edge and the connect page. Includes deleted domains. */
export async function findDomainById(store: Store, id: DomainId): Promise<Domain | null> {
  const row = await domainRows(store).where('id', '=', id).executeTakeFirst();
  return row ? domainOf(row) : null;
}

/** Finds an app's domain by hostname in either mode, because a hostname can be in an app only once (`docs/api.md#domains`). */
export async function findDomainOfApp(store: Store, appId: AppId, hostname: string): Promise<Domain | null> {
  const row = await selectByHostname(store, appId, hostname).where('mode', '<>', 'host').executeTakeFirst();
  return row ? domainOf(row) : null;
}

/** Finds the domain of an app's white-label host. The edge serves the connect pages at this domain (`decisions/0049`). */
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
  const row = await domainRows(store).where('connect_token', '=', connectToken).executeTakeFirst();
  return row ? domainOf(row) : null;
}

/** Returns an app's domains, in both modes, that have one of these statuses and whose record points to us through this name. */
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
  return rows.map(({ id }) => id);
}

/**
 * Writes all fields of the domain. The caller must have locked its row. If the domain is deleted, removes its metadata rows, so that no
 * filter finds it.
 */
export async function saveDomain(tx: Tx, domain: Domain): Promise<void> {
  await runTogether(tx, ...domainUpdate(tx, domain));
}

/** Returns the statements of `saveDomain`. */
export function domainUpdate(tx: Tx, domain: Domain): Statement[] {
  const update = updateRow(tx, toRow(domain));
  return domain.status === 'deleted' ? [update, metadataDeletion(tx, domain)] : [update];
}

const updateRow = compileOnce((tx: Tx, row: Insertable<DomainRow>) =>
  tx.db.updateTable('domains').set(row).where('id', '=', row.id).compile(),
);

function selectByHostname(store: Store, appId: AppId, hostname: string) {
  return domainRows(store)
    .where('app_id', '=', appId)
    .where('hostname', '=', hostname)
    .where('status', '<>', DELETED);
}

function selectIn(store: Store, scope: Scope) {
  return domainRows(store)
    .where('app_id', '=', scope.app_id)
    .where('mode', '=', scope.mode)
    .where('status', '<>', DELETED);
}

/** A domain's row, and when its DNS was last checked. */
export type CheckedDomainRow = DomainRow & { checked_at: number | null };

/** Selects the time of a domain's last DNS check. A check that finds nothing new writes only this time. */
export const CHECKED_AT = sql<
  number | null
>`(select checked_at from dns_checks where domain_id = domains.id)`.as('checked_at');

/** Returns a query for domains, with the columns that `domainOf` reads. */
export function domainRows(store: Store) {
  return store.db.selectFrom('domains').selectAll('domains').select(CHECKED_AT);
}

export function reversed(hostname: string): string {
  return hostname.split('').reverse().join('');
}

/** Returns a table row as a domain. Lists each field, because copying the row without one column takes ten times as long. */
export function domainOf(row: CheckedDomainRow): Domain {
  const { checked_at, last_checked_at } = row;
  // The domain's row contains the time of the last check that changed something. The times of later checks are only in `dns_checks`.
  const isOlder = checked_at !== null && checked_at > (last_checked_at ?? 0);
  return {
    id: row.id,
    app_id: row.app_id,
    mode: row.mode,
    hostname: row.hostname,
    is_apex: row.is_apex === 1,
    status: row.status,
    status_since: row.status_since,
    status_before_hold: row.status_before_hold,
    reason_before_hold: row.reason_before_hold,
    status_reason: row.status_reason,
    status_detail: fromJson(row.status_detail),
    origin: row.origin,
    apex_redirect: row.apex_redirect,
    connect_token: row.connect_token,
    txt_value: row.txt_value,
    retired_at: row.retired_at,
    routed_through: row.routed_through,
    certificate: fromJson(row.certificate),
    metadata: fromJson(row.metadata),
    origin_headers: fromJson(row.origin_headers),
    created_at: row.created_at,
    updated_at: row.updated_at,
    window_opened_at: row.window_opened_at,
    last_checked_at: isOlder ? checked_at : last_checked_at,
    next_check_at: isOlder ? scheduledChecks(row, checked_at).next : row.next_check_at,
    event_seq: row.event_seq,
    last_event_at: row.last_event_at,
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
