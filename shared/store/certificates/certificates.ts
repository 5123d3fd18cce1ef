import { sql } from 'kysely';
import type { IssuedCertificate } from '../../core/certificates/certificate-chain.ts';
import type { RenewalWindow } from '../../core/certificates/renewal-time.ts';
import type { CertificateId, DomainId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { isOneOf, rowList } from '../row-list.ts';
import type { Store, Tx } from '../store.ts';
import type { CertificateRow } from '../tables.ts';

/** A certificate and its private key. The edge serves the newest certificate of each domain. */
export interface StoredCertificate extends IssuedCertificate {
  id: CertificateId;
  domain_id: DomainId;
  ca: string;
  /** Encrypted with the data key, which is itself encrypted. */
  private_key: string;
  data_key: string;
  renews_at: Instant;
  /** The window in which the authority suggests to renew the certificate (ARI). Null if the authority gave none. */
  window: RenewalWindow | null;
  created_at: Instant;
}

export async function insertCertificate(tx: Tx, certificate: StoredCertificate): Promise<void> {
  const { names, window, ...row } = certificate;
  await tx.db
    .insertInto('certificates')
    .values({
      ...row,
      names: JSON.stringify(names),
      window_start: window?.start ?? null,
      window_end: window?.end ?? null,
    })
    .execute();
}

export async function findCertificateById(
  store: Store,
  id: CertificateId,
): Promise<StoredCertificate | null> {
  const row = await store.db.selectFrom('certificates').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** Returns the certificate that the edge serves. */
export async function findNewestCertificate(
  store: Store,
  domainId: DomainId,
): Promise<StoredCertificate | null> {
  const row = await store.db
    .selectFrom('certificates')
    .selectAll()
    .where('domain_id', '=', domainId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** Returns the certificates that the edge serves for many domains. */
export async function findNewestCertificates(
  store: Store,
  domainIds: readonly DomainId[],
): Promise<Map<DomainId, StoredCertificate>> {
  const rows = await (store.flags.lateral
    ? newestOfEach(store, domainIds)
    : newest(store)
        .selectAll('certificates')
        .where(isOneOf(store, 'certificates.domain_id', domainIds))
        .execute());
  return new Map(rows.map((row) => [row.domain_id, fromRow(row)]));
}

/** Looks up one domain at a time, because with a join Postgres may read the whole table, whatever plan the statistics suggest. */
async function newestOfEach(store: Store, domainIds: readonly DomainId[]): Promise<CertificateRow[]> {
  const given = rowList(
    store,
    { domain_id: 'text' },
    domainIds.map((id) => ({ domain_id: id })),
  );
  const { rows } = await sql<CertificateRow>`
    select newest.* from ${given} cross join lateral (
      select * from certificates where certificates.domain_id = given.domain_id order by created_at desc, id desc limit 1) newest`.execute(
    store.db,
  );
  return rows;
}

/** Sets when the certificate is to be renewed, and the authority's window. */
export async function setRenewal(
  tx: Tx,
  { id, renews_at, window }: Pick<StoredCertificate, 'id' | 'renews_at' | 'window'>,
): Promise<void> {
  await tx.db
    .updateTable('certificates')
    .set({ renews_at, window_start: window?.start ?? null, window_end: window?.end ?? null })
    .where('id', '=', id)
    .execute();
}

/** Deletes a domain's certificates and their keys. @param kept the id of the new certificate, which is not deleted. */
export async function deleteCertificates(
  tx: Tx,
  domainId: DomainId,
  kept: CertificateId | null = null,
): Promise<void> {
  let query = tx.db.deleteFrom('certificates').where('domain_id', '=', domainId);
  if (kept !== null) query = query.where('id', '<>', kept);
  await query.execute();
}

/** Lists the served certificates, sorted by their expiry. @param before lists only certificates that expire before this time. */
export async function selectCertificates(
  store: Store,
  { limit, before }: { limit: number; before?: Instant },
): Promise<StoredCertificate[]> {
  let query = newest(store).selectAll('certificates');
  if (before !== undefined) query = query.where('certificates.not_after', '<', before);
  const rows = await query
    .orderBy('certificates.not_after')
    .orderBy('certificates.id')
    .limit(sql.lit(limit))
    .execute();
  return rows.map(fromRow);
}

/**
 * Returns the earliest expiry among certificates that should be renewed. Excludes broken and held domains, whose certificates may expire
 * without an alarm.
 * @returns null if there is no such certificate.
 */
export async function soonestEnd(store: Store): Promise<Instant | null> {
  const row = await newest(store)
    .innerJoin('domains', 'domains.id', 'certificates.domain_id')
    .where('domains.status', 'in', ['active', 'cert_failed'])
    .select('certificates.not_after')
    .orderBy('certificates.not_after')
    .limit(sql.lit(1))
    .executeTakeFirst();
  return row?.not_after ?? null;
}

function newest({ db }: Store) {
  return db.selectFrom('certificates').where((eb) =>
    eb.not(
      eb.exists(
        eb
          .selectFrom('certificates as newer')
          .select('newer.id')
          .whereRef('newer.domain_id', '=', 'certificates.domain_id')
          .where((or) =>
            or(
              or.refTuple('newer.created_at', 'newer.id'),
              '>',
              or.refTuple('certificates.created_at', 'certificates.id'),
            ),
          ),
      ),
    ),
  );
}

function fromRow({ window_start, window_end, ...row }: CertificateRow): StoredCertificate {
  return {
    ...row,
    names: JSON.parse(row.names),
    window: window_start === null || window_end === null ? null : { start: window_start, end: window_end },
  };
}
