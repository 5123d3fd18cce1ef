import { X509Certificate } from 'node:crypto';
import type { AcmeProblem } from '../../core/certificates/acme-problem.ts';
import { REVOCATION_REASONS, type RevocationReason } from '../../core/certificates/certificate.ts';
import type { Domain } from '../../core/domains/domain.ts';
import type { DomainId } from '../../core/ids.ts';
import { HOUR_MS, type Instant } from '../../core/instant.ts';
import { deleteCertificateOrder } from '../../store/certificates/certificate-orders.ts';
import { deleteCertificates, type StoredCertificate } from '../../store/certificates/certificates.ts';
import { deleteRevocation, findRevocation, keepForRevocation } from '../../store/certificates/revocations.ts';
import { type LeasedJob, scheduleJobOnce } from '../../store/jobs/jobs.ts';
import { autocommit } from '../../store/store.ts';
import type { Context, TxContext } from '../context.ts';
import { acmeAccount } from './acme-account.ts';
import { closeChallenges } from './open-challenges.ts';

/** Copies the certificates of a domain before it is deleted, and schedules their revocation (`docs/deploying-certificates.md#revocation`). */
export async function scheduleRevocations({ store, clock }: TxContext, domain: Domain): Promise<void> {
  const now = clock.now();
  for (const id of await keepForRevocation(store, domain.id, now)) {
    await scheduleJobOnce(store, { kind: 'revoke', subject_id: id, app_id: domain.app_id, due_at: now });
  }
}

/**
 * Revokes a certificate of a deleted domain.
 * @returns null if the certificate is revoked or has expired, else when to try again.
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

/** Deletes the certificates and TLS keys of a deleted domain, and its unfinished order (`docs/domains.md`). */
export async function eraseCertificates(tx: TxContext, domainId: DomainId): Promise<void> {
  await deleteCertificateOrder(tx.store, domainId);
  await closeChallenges(tx, domainId);
  await deleteCertificates(tx.store, domainId);
}

/**
 * Revokes a certificate with the account that ordered it (RFC 8555 section 7.6). Succeeds if the certificate was already revoked.
 * @returns null if the certificate is revoked, else the authority's problem, or `unknown_authority` if the settings do not contain the
 * authority.
 */
export async function revokeAtAuthority(
  context: Context,
  { ca, chain }: Pick<StoredCertificate, 'ca' | 'chain'>,
  reason: RevocationReason,
): Promise<AcmeProblem | 'unknown_authority' | null> {
  const authority = context.issuance?.authorities.find((each) => each.ca.name === ca);
  if (authority === undefined) return 'unknown_authority';
  const made = await acmeAccount(context, authority);
  if (!made.ok) return made.problem;
  const certificate = new X509Certificate(chain).raw;
  const answer = await authority.revoke(made.account, certificate, REVOCATION_REASONS[reason]);
  return answer.ok || answer.problem.type === 'alreadyRevoked' ? null : answer.problem;
}
