import type { CertificateId, DomainId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { LIMITS } from '../../core/limits.ts';
import { rowMapper } from '../row-values.ts';
import type { Store, Tx } from '../store.ts';

/** A certificate that the edge serves or has served for a domain. */
export interface PastCertificate {
  id: CertificateId;
  issuer: string;
  /** The serial number, in lowercase hex. Null for a domain on the test timer. */
  serial: string | null;
  names: readonly string[];
  not_before: Instant;
  not_after: Instant;
  served_from: Instant;
}

/**
 * Adds a certificate to a domain's history, unless it is already the newest one there. Deletes the oldest entries beyond the limit. The
 * caller must have locked the domain's row.
 */
export async function rememberCertificate(
  tx: Tx,
  domainId: DomainId,
  certificate: PastCertificate,
): Promise<void> {
  const kept = await listPastCertificates(tx, domainId);
  const [newest] = kept;
  if (newest !== undefined && isSame(newest, certificate)) return;
  await tx.db
    .insertInto('certificate_history')
    .values({ ...toRow(certificate), domain_id: domainId })
    .execute();
  const oldest = kept.slice(LIMITS.certificates_per_domain_max - 1).map(({ id }) => id);
  if (oldest.length === 0) return;
  await tx.db
    .deleteFrom('certificate_history')
    .where('domain_id', '=', domainId)
    .where('id', 'in', oldest)
    .execute();
}

/** Lists the certificates of a domain, newest first. */
export async function listPastCertificates(store: Store, domainId: DomainId): Promise<PastCertificate[]> {
  const rows = await store.db
    .selectFrom('certificate_history')
    .select(['id', 'issuer', 'serial', 'names', 'not_before', 'not_after', 'served_from'])
    .where('domain_id', '=', domainId)
    .orderBy('served_from', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(fromRow);
}

/** Deletes the history of a deleted domain. */
export async function deletePastCertificates(tx: Tx, domainId: DomainId): Promise<void> {
  await tx.db.deleteFrom('certificate_history').where('domain_id', '=', domainId).execute();
}

function isSame(one: PastCertificate, other: PastCertificate): boolean {
  return (
    one.serial === other.serial &&
    one.issuer === other.issuer &&
    one.not_before === other.not_before &&
    one.not_after === other.not_after
  );
}

const { toRow, fromRow } = rowMapper<PastCertificate>({ names: 'json' });
