import { sql } from 'kysely';
import type { App } from '../../core/apps/app.ts';
import type { ExpectedApp } from '../../core/dns/dns-expectation.ts';
import type { Domain } from '../../core/domains/domain.ts';
import type { DomainId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { compileOnce } from '../compile-once.ts';
import { DELETED } from '../row-values.ts';
import { runTogether } from '../run-together.ts';
import { isTransaction, type Store } from '../store.ts';
import type { RowOf } from '../tables.ts';
import { type DnsCheck, dnsCheckOf } from './dns-checks.ts';
import { type CheckedDomainRow, domainOf, domainRows, reversed } from './domains.ts';

/**
 * Returns the domains of a hostname across all apps, sorted by id. Within a transaction, also locks the domains in this order.
 * @param withTests false leaves out test domains, which have no route in the hosted service.
 */
export async function findDomainsAt(store: Store, hostname: string, withTests = true): Promise<Domain[]> {
  const all = selectExisting(store).where('reversed_hostname', '=', reversed(hostname));
  return lockedDomains(store, withTests ? all : all.where('mode', '<>', 'test'));
}

/** A domain that can have a hostname, with the data that its DNS checks need. */
export interface ClaimantFacts {
  domain: Domain;
  app: ExpectedApp;
  /** The last check of the domain. Null if no check has ended yet. */
  check: DnsCheck | null;
  /** When the domain's certificate order began to wait for a DNS check. Null if there is no order, or if the order does not wait. */
  unchecked_since: Instant | null;
  /** The domain that has the hostname's route. */
  owner_id: DomainId | null;
}

/**
 * Returns the domains that can have the hostname of a domain, sorted by id: the live domains with this hostname, and the apex that
 * redirects this `www.` name. Uses a single statement, because most checks need no further query.
 */
export async function findClaimants(store: Store, id: DomainId): Promise<ClaimantFacts[]> {
  const { rows } = await store.db.executeQuery(selectClaimants(store, { id }));
  return rows.map((row) => ({
    domain: domainOf(row),
    app: {
      id: row.app_id,
      account_id: row.account_id,
      target_label: row.target_label,
      allow_proxied: row.allow_proxied === 1,
      whitelabel_host: row.whitelabel_host,
      whitelabel_verified: row.whitelabel_verified === 1,
      whitelabel_found: row.whitelabel_found,
      whitelabel_grace_ends_at: row.whitelabel_grace_ends_at,
    },
    check: row.checked_at === null ? null : dnsCheckOf({ ...row, checked_at: row.checked_at }),
    unchecked_since: row.unchecked_since,
    owner_id: row.owner_id,
  }));
}

/**
 * Returns the domains that can have the hostname of a domain, sorted by id. Locks them in the order of their ids, then the route. If
 * another transaction adds a domain while this function waits, the result does not include that domain, because it is not locked. Call this
 * within a transaction.
 */
export async function lockClaimants(store: Store, id: DomainId): Promise<ClaimantFacts[]> {
  if (!store.flags.rowLocks) return findClaimants(store, id);
  const [locked] = await runTogether(
    store,
    selectClaimantsForUpdate(store, { id }),
    selectRouteForUpdate(store, { id }),
  );
  const ids = new Set<string>(locked.map((row) => row.id));
  return (await findClaimants(store, id)).filter(({ domain }) => ids.has(domain.id));
}

type ClaimantRow = CheckedDomainRow &
  Omit<RowOf<DnsCheck>, 'checked_at'> &
  Pick<
    RowOf<App>,
    | 'account_id'
    | 'target_label'
    | 'allow_proxied'
    | 'whitelabel_host'
    | 'whitelabel_verified'
    | 'whitelabel_found'
    | 'whitelabel_grace_ends_at'
  > & { unchecked_since: Instant | null; owner_id: DomainId | null };

const selectClaimants = compileOnce<{ id: string }, ClaimantRow>((store, { id }) =>
  sql<ClaimantRow>`
    select domains.*, checked_at, missed_at, name_servers, one_click, findings, progress, path,
      account_id, target_label, allow_proxied,
      whitelabel_host, whitelabel_verified, whitelabel_found, whitelabel_grace_ends_at,
      (select unchecked_since from certificate_orders where domain_id = domains.id) as unchecked_since,
      (select domain_id from routes where routes.hostname = own.hostname) as owner_id
    from ${CLAIMANTS} join apps on apps.id = domains.app_id left join dns_checks on dns_checks.domain_id = domains.id
    where own.id = ${id} and ${IS_CLAIMANT} order by domains.id`.compile(store.db),
);

const selectClaimantsForUpdate = compileOnce<{ id: string }, { id: string }>((store, { id }) =>
  sql<{ id: string }>`
    select domains.id from ${CLAIMANTS}
    where own.id = ${id} and ${IS_CLAIMANT} order by domains.id for update of domains`.compile(store.db),
);

const selectRouteForUpdate = compileOnce<{ id: string }, { hostname: string }>((store, { id }) =>
  sql<{ hostname: string }>`
    select hostname from routes where hostname = (select hostname from domains where id = ${id}) for update`.compile(
    store.db,
  ),
);

/** Joins a domain (`own`) with the domains that have the same hostname, or the same hostname without `www.`. */
const CLAIMANTS = sql`
  domains own join domains on domains.status <> ${DELETED} and domains.reversed_hostname in (own.reversed_hostname,
    case when own.hostname like 'www.%' then substr(own.reversed_hostname, 1, length(own.reversed_hostname) - 4) end)`;

const IS_CLAIMANT = sql`domains.mode <> 'test' and
  (domains.reversed_hostname = own.reversed_hostname or (domains.is_apex = 1 and domains.apex_redirect = 'www'))`;

/**
 * Locks all domains of a domain's hostname, in the order of their ids, and returns the domain. Call it before a change that can take the
 * hostname from the other domains.
 */
export async function lockDomainAndRivals(store: Store, id: DomainId): Promise<Domain | null> {
  const name = store.db.selectFrom('domains').select('reversed_hostname').where('id', '=', id);
  const domains = await lockedDomains(store, selectExisting(store).where('reversed_hostname', '=', name));
  return domains.find((domain) => domain.id === id) ?? null;
}

/**
 * Locks the next batch of the domains that a hold covers, in all apps. Call this within a transaction.
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
  let query = selectExisting(store);
  // `/` is the character after the dot in ASCII, so this range contains all names below the held name.
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
  return domainRows(store).where('status', '<>', DELETED);
}

async function lockedDomains(store: Store, query: ReturnType<typeof selectExisting>): Promise<Domain[]> {
  const sorted = query.orderBy('id');
  const locks = store.flags.rowLocks && isTransaction(store);
  return (await (locks ? sorted.forUpdate() : sorted).execute()).map(domainOf);
}
