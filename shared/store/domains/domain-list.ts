import { type SqlBool, sql } from 'kysely';
import type { Domain } from '../../core/domains/domain.ts';
import type { Status } from '../../core/domains/status.ts';
import { type ListFilter, readFilteredPage } from '../ordered-walk.ts';
import type { PageRequest, RowPage } from '../page.ts';
import { DELETED, LISTED } from '../row-values.ts';
import type { Scope } from '../scope.ts';
import type { Store } from '../store.ts';
import { metadataEntry } from './domain-metadata.ts';
import { domainOf } from './domains.ts';

export interface DomainFilter {
  status?: Status | undefined;
  /** A prefix of the hostname, in lowercase. */
  hostnamePrefix?: string | undefined;
  metadata?: Record<string, string> | undefined;
}

/**
 * Lists the domains that match every filter. With several filters, a page may have fewer than `limit` domains although another page
 * follows.
 */
export async function selectDomains(
  store: Store,
  scope: Scope,
  filter: DomainFilter,
  page: PageRequest,
): Promise<RowPage<Domain>> {
  if (filter.status === 'deleted') return { rows: [], next: null };
  const filters: ListFilter[] = Object.entries(filter.metadata ?? {}).map(([key, value]) =>
    withEntry(scope, metadataEntry(key, value)),
  );
  if (filter.status) filters.push(withStatus(scope, filter.status));
  const [first = allOf(scope), ...others] = filters;
  if (filter.hostnamePrefix) others.push(withPrefix(scope, filter.hostnamePrefix));
  const { rows, next } = await readFilteredPage(store, 'domains', [first, ...others], page);
  return { rows: rows.map(domainOf), next };
}

function allOf(scope: Scope): ListFilter {
  return {
    ...IN_PAGE_ORDER,
    where: sql`${inScope(scope)} and status <> ${DELETED} and ${LISTED}`,
    passes: sql`true`,
  };
}

function withStatus(scope: Scope, status: Status): ListFilter {
  return {
    ...IN_PAGE_ORDER,
    where: sql`${inScope(scope)} and status = ${status}`,
    passes: sql`(select 1 from domains d where d.id = walked.id and d.status = ${status}) = 1`,
  };
}

/**
 * Searches for the prefix as a range instead of with LIKE, so that the database can use the index. `~` sorts after every character of a
 * hostname.
 */
function withPrefix({ app_id, mode }: Scope, prefix: string): ListFilter {
  const end = `${prefix}~`;
  return {
    ...IN_PAGE_ORDER,
    // The index contains the domains of both modes, so the query has to check the mode of each row.
    where: sql`app_id = ${app_id} and status <> ${DELETED} and hostname >= ${prefix} and hostname < ${end}`,
    range: { sortedBy: 'hostname', where: sql`mode = ${mode}` },
    passes: sql`
      (select 1 from domains d where d.id = walked.id and d.hostname >= ${prefix} and d.hostname < ${end}) = 1`,
  };
}

function withEntry(scope: Scope, entry: string): ListFilter {
  return {
    table: 'domain_metadata',
    idColumn: 'domain_id',
    range: null,
    where: sql`${inScope(scope)} and entry = ${entry}`,
    passes: sql`(select 1 from domain_metadata m where m.domain_id = walked.id and m.entry = ${entry}) = 1`,
  };
}

function inScope({ app_id, mode }: Scope) {
  return sql<SqlBool>`app_id = ${app_id} and mode = ${mode}`;
}

const IN_PAGE_ORDER = { table: 'domains', idColumn: 'id', range: null } as const;
