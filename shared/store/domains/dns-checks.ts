import type { Finding } from '../../core/dns/dns-finding.ts';
import type { DnsProgress } from '../../core/dns/dns-progress.ts';
import type { DomainId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import type { OneClickAnswer } from '../../core/providers/one-click.ts';
import type { PublicPath } from '../../core/public-path/public-path.ts';
import { fromJson, toJson } from '../row-values.ts';
import type { Store } from '../store.ts';

/** The result of the last check of a domain's DNS. */
export interface DnsCheck {
  domain_id: DomainId;
  checked_at: Instant;
  /**
   * When the record was first missed, if the last check missed it. A live domain breaks when two checks in a row miss it. Null if the last
   * check found it.
   */
  missed_at: Instant | null;
  /** The name servers of the hostname's zone, which identify the DNS provider. Empty if they could not be determined. */
  name_servers: readonly string[];
  /** Whether the DNS provider can set the records itself. Null if it was not asked. */
  one_click: OneClickAnswer | null;
  /** The most severe finding comes first. */
  findings: readonly Finding[];
  progress: DnsProgress;
  /** Where requests to the hostname arrived. Null if the last check did not probe it. */
  path: KnownPath | null;
}

/** Result of a probe of a public path. */
export interface KnownPath extends PublicPath {
  probed_at: Instant;
  /** Whether the path led here when it was last possible to tell. */
  led_here: boolean;
}

export async function findDnsCheck(store: Store, domainId: DomainId): Promise<DnsCheck | null> {
  const row = await store.db
    .selectFrom('dns_checks')
    .selectAll()
    .where('domain_id', '=', domainId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    domain_id: domainId,
    checked_at: row.checked_at,
    missed_at: row.missed_at,
    name_servers: fromJson<string[]>(row.name_servers) ?? [],
    one_click: fromJson<OneClickAnswer>(row.one_click),
    findings: fromJson<Finding[]>(row.findings) ?? [],
    progress: row.progress,
    path: fromJson<KnownPath>(row.path),
  };
}

/** Replaces the result of the previous check. */
export async function saveDnsCheck(store: Store, check: DnsCheck): Promise<void> {
  const { checked_at, missed_at, progress } = check;
  const row = {
    checked_at,
    missed_at,
    progress,
    one_click: toJson(check.one_click),
    path: toJson(check.path),
    name_servers: JSON.stringify(check.name_servers),
    findings: JSON.stringify(check.findings),
  };
  await store.db
    .insertInto('dns_checks')
    .values({ domain_id: check.domain_id, ...row })
    .onConflict((conflict) => conflict.column('domain_id').doUpdateSet(row))
    .execute();
}

export async function deleteDnsCheck(store: Store, domainId: DomainId): Promise<void> {
  await store.db.deleteFrom('dns_checks').where('domain_id', '=', domainId).execute();
}
