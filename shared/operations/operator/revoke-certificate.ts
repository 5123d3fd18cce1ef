import type { AcmeProblem } from '../../core/certificates/acme-problem.ts';
import type { RevocationReason } from '../../core/certificates/certificate.ts';
import { ServiceError } from '../../core/errors.ts';
import type { DomainId } from '../../core/ids.ts';
import { findNewestCertificate } from '../../store/certificates/certificates.ts';
import { lockDomainById } from '../../store/domains/domains.ts';
import { revokeAtAuthority } from '../certificates/revoke-at-authority.ts';
import type { Context } from '../context.ts';
import { findRoutedId, renewNow } from './certificates.ts';
import { withAudit } from './with-audit.ts';

/** A certificate that was revoked. */
export interface RevokedCertificate {
  hostname: string;
  serial: string;
  ca: string;
  /** Whether a new certificate was ordered. If the domain's record is broken, it gets one once the record is right. */
  reordered: boolean;
}

/**
 * Revokes the certificate that a domain serves (RFC 8555 section 7.6), and orders a new one with a new key. If it is interrupted, it can be
 * repeated: revoking a revoked certificate succeeds.
 * @param name a hostname, or the id of a domain.
 * @throws ServiceError `not_found` or `validation_failed`.
 */
export async function revokeCertificate(
  context: Context,
  actor: string,
  name: string,
  reason: RevocationReason,
): Promise<RevokedCertificate> {
  const id = await findRoutedId(context, name);
  const certificate = await findNewestCertificate(context.store, id);
  if (certificate === null) {
    throw new ServiceError('not_found', {
      message: `${name} has no certificate.`,
      fix: 'Use "service certificates list" to see the certificates in use.',
    });
  }
  const { serial, ca } = certificate;
  const problem = await revokeAtAuthority(context, certificate, reason);
  if (problem === 'unknown_authority') {
    throw new ServiceError('validation_failed', {
      message: `The certificate is from ${ca}, which is not among the authorities of NAMEPLATE_CAS.`,
      fix: `Add ${ca} to NAMEPLATE_CAS for this command.`,
    });
  }
  if (problem !== null) throw notRevoked(ca, problem);
  const detail = { serial, ca, reason };
  return withAudit(context, { actor, action: 'certificate.revoke', subject: name, detail }, async (tx) => {
    const domain = await lockDomainById(tx.store, id as DomainId);
    if (domain === null) return { hostname: name, serial, ca, reordered: false };
    return { hostname: domain.hostname, serial, ca, reordered: await renewNow(tx, domain) };
  });
}

function notRevoked(ca: string, { detail }: AcmeProblem): ServiceError {
  return new ServiceError('validation_failed', {
    message: `${ca} did not revoke the certificate: ${detail}`,
    fix: 'Nothing was changed. Run the command again, or revoke the certificate at the authority.',
  });
}
