import type { CertificateId, DomainId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import type { Store, Tx } from '../store.ts';
import type { StoredCertificate } from './certificates.ts';

/** A certificate that is to be revoked, without its private key. */
export type Revocation = Pick<StoredCertificate, 'id' | 'ca' | 'chain' | 'not_after'>;

/**
 * Copies the unexpired certificates of a domain, so that they can be revoked after the domain is deleted.
 * @returns the ids of these certificates.
 */
export async function keepForRevocation(tx: Tx, domainId: DomainId, now: Instant): Promise<CertificateId[]> {
  const rows = await tx.db
    .insertInto('revocations')
    .columns(['id', 'ca', 'chain', 'not_after'])
    .expression((eb) =>
      eb
        .selectFrom('certificates')
        .select(['id', 'ca', 'chain', 'not_after'])
        .where('domain_id', '=', domainId)
        .where('not_after', '>', now),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function findRevocation(store: Store, id: CertificateId): Promise<Revocation | null> {
  const row = await store.db.selectFrom('revocations').selectAll().where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

export async function deleteRevocation(tx: Tx, id: CertificateId): Promise<void> {
  await tx.db.deleteFrom('revocations').where('id', '=', id).execute();
}
