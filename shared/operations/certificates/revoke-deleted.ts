import type { Domain } from '../../core/domains/domain.ts';
import type { DomainId } from '../../core/ids.ts';
import { HOUR_MS, type Instant } from '../../core/instant.ts';
import { deleteCertificateOrder } from '../../store/certificates/certificate-orders.ts';
import { deleteCertificates } from '../../store/certificates/certificates.ts';
import { deleteChallenges } from '../../store/certificates/challenges.ts';
import { deleteRevocation, findRevocation, keepForRevocation } from '../../store/certificates/revocations.ts';
import { type LeasedJob, scheduleJobOnce } from '../../store/jobs/jobs.ts';
import { autocommit, type Tx } from '../../store/store.ts';
import type { Context, TxContext } from '../context.ts';
import { revokeAtAuthority } from './revoke-at-authority.ts';

/**
 * Stores the certificates of a domain that is being deleted separately, and schedules their revocation (`docs/deploying.md#certificates`).
 */
export async function scheduleRevocations({ store, clock }: TxContext, domain: Domain): Promise<void> {
  const now = clock.now();
  for (const id of await keepForRevocation(store, domain.id, now)) {
    await scheduleJobOnce(store, { kind: 'revoke', subject_id: id, app_id: domain.app_id, due_at: now });
  }
}

/**
 * Revokes a certificate of a deleted domain.
 * @returns null once it is revoked or has expired; otherwise when to try again.
 */
export async function revokeDeleted(context: Context, job: LeasedJob<'revoke'>): Promise<Instant | null> {
  const { store, clock, log } = context;
  const revocation = await findRevocation(store, job.subject_id);
  if (revocation === null) return null;
  if (revocation.not_after > clock.now()) {
    const problem = await revokeAtAuthority(context, revocation, 'cessation_of_operation');
    if (problem !== null) {
      log.warn(
        { certificate: revocation.id, ca: revocation.ca, problem },
        'a certificate was not revoked yet',
      );
      return clock.now() + HOUR_MS;
    }
  }
  await deleteRevocation(autocommit(store), revocation.id);
  return null;
}

/** Erases the TLS keys of a deleted domain, and its unfinished order (`docs/domains.md`). */
export async function eraseCertificates(tx: Tx, domainId: DomainId): Promise<void> {
  await deleteCertificateOrder(tx, domainId);
  await deleteChallenges(tx, domainId);
  await deleteCertificates(tx, domainId);
}
