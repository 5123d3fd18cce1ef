import { sql } from 'kysely';
import type { App } from '../../core/apps/app.ts';
import type { Finding } from '../../core/dns/dns-finding.ts';
import type { DnsProgress } from '../../core/dns/dns-progress.ts';
import type { Domain } from '../../core/domains/domain.ts';
import type { DomainId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import type { OneClickAnswer } from '../../core/providers/domain-connect.ts';
import type { PublicPath } from '../../core/public-path/public-path.ts';
import { compileOnce } from '../compile-once.ts';
import type { JobLease } from '../jobs/jobs.ts';
import { rowMapper, toFlag } from '../row-values.ts';
import type { Store, Tx } from '../store.ts';
import type { RowOf } from '../tables.ts';

/** The result of the last check of a domain's DNS. */
export interface DnsCheck {
  checked_at: Instant;
  /**
   * When a check first did not find the record. Null if the last check found it. A live domain becomes `dns_broken` when two checks in a
   * row do not find the record.
   */
  missed_at: Instant | null;
  /** The name servers of the hostname's zone, which identify the DNS provider. Empty if they could not be determined. */
  name_servers: readonly string[];
  /** Whether the DNS provider can set the records itself (Domain Connect). Null if the provider was not asked. */
  one_click: OneClickAnswer | null;
  /** The most severe finding comes first. */
  findings: readonly Finding[];
  progress: DnsProgress;
  /** The path that requests to the hostname took. Null if the last check sent no probe. */
  path: KnownPath | null;
}

/** The result of a probe: where a request to the hostname over the internet arrived. */
export interface KnownPath extends PublicPath {
  probed_at: Instant;
  /** Whether requests arrived at our edge in the latest conclusive probe. */
  led_here: boolean;
}

export async function findDnsCheck(store: Store, domainId: DomainId): Promise<DnsCheck | null> {
  const row = await store.db
    .selectFrom('dns_checks')
    .selectAll()
    .where('domain_id', '=', domainId)
    .executeTakeFirst();
  return row === undefined ? null : dnsCheckOf(row);
}

/** Returns a table row as the result of a check. */
export function dnsCheckOf({
  checked_at,
  missed_at,
  name_servers,
  one_click,
  findings,
  progress,
  path,
}: RowOf<DnsCheck>): DnsCheck {
  return fromRow({ checked_at, missed_at, name_servers, one_click, findings, progress, path });
}

const { toRow, fromRow } = rowMapper<DnsCheck>({
  name_servers: 'json',
  one_click: 'json',
  findings: 'json',
  path: 'json',
});

/** Replaces the result of the previous check. */
export async function saveDnsCheck(tx: Tx, domainId: DomainId, check: DnsCheck): Promise<void> {
  const row = toRow(check);
  await tx.db
    .insertInto('dns_checks')
    .values({ domain_id: domainId, ...row })
    .onConflict((conflict) => conflict.column('domain_id').doUpdateSet(row))
    .execute();
}

/** The time of a check that found nothing new, and the state of the domain that the check assumed. */
interface RoutineCheck extends Pick<Domain, 'updated_at'> {
  checked_at: Instant;
  app: Pick<App, 'whitelabel_host' | 'whitelabel_verified' | 'whitelabel_grace_ends_at'>;
}

/**
 * Records that a check found nothing new. Writes only the time of the check.
 * @returns false if nothing was written, because the worker has lost the lease, or because the domain or its app's white-label host changed
 * during the lookup.
 */
export async function noteRoutineCheck(
  tx: Tx,
  { subject_id, lease_id }: JobLease,
  { app, ...times }: RoutineCheck,
): Promise<boolean> {
  const host = app.whitelabel_host ?? '';
  const verified = toFlag(app.whitelabel_verified);
  const graceEndsAt = app.whitelabel_grace_ends_at ?? -1;
  const given = { ...times, subject_id, lease_id, host, verified, graceEndsAt };
  return (await tx.db.executeQuery(updateCheckedAt(tx, given))).numAffectedRows === 1n;
}

const updateCheckedAt = compileOnce((tx: Tx, given: Record<string, string | number>) =>
  sql`
    update dns_checks set checked_at = ${given['checked_at']}
    where domain_id = ${given['subject_id']} and exists (
      select 1 from jobs join domains on domains.id = jobs.subject_id join apps on apps.id = domains.app_id
      where kind = 'check_dns' and subject_id = ${given['subject_id']} and lease_id = ${given['lease_id']}
        and domains.updated_at = ${given['updated_at']} and coalesce(whitelabel_host, '') = ${given['host']}
        and whitelabel_verified = ${given['verified']}
        and coalesce(whitelabel_grace_ends_at, -1) = ${given['graceEndsAt']})`.compile(tx.db),
);

export async function deleteDnsCheck(tx: Tx, domainId: DomainId): Promise<void> {
  await tx.db.deleteFrom('dns_checks').where('domain_id', '=', domainId).execute();
}
