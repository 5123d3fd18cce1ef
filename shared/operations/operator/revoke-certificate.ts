import { X509Certificate } from 'node:crypto';
import type { AcmeProblem } from '../../core/certificates/acme-problem.ts';
import { REVOCATION_REASONS, type RevocationReason } from '../../core/certificates/revocation.ts';
import { ServiceError } from '../../core/errors.ts';
import type { DomainId } from '../../core/ids.ts';
import { findNewestCertificate, type StoredCertificate } from '../../store/certificates/certificates.ts';
import { lockDomainById } from '../../store/domains/domains.ts';
import { acmeAccount } from '../certificates/acme-account.ts';
import type { Context } from '../context.ts';
import { findRoutedId, renewNow } from './certificates.ts';
import { withAudit } from './with-audit.ts';

/** A certificate that was revoked. */
export interface RevokedCertificate {
  hostname: string;
  serial: string;
  ca: string;
  /** Whether a new certificate was ordered. A domain whose record is broken gets one once the record is right. */
  reordered: boolean;
}

/**
 * Revokes the certificate that a domain serves (RFC 8555 section 7.6), and orders a new one with a new key. A command that was interrupted
 * can be repeated: a certificate that is revoked already counts as revoked.
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
  await revokeAtAuthority(context, certificate, reason);
  const { serial, ca } = certificate;
  const detail = { serial, ca, reason };
  return withAudit(context, { actor, action: 'certificate.revoke', subject: name, detail }, async (tx) => {
    const domain = await lockDomainById(tx.store, id as DomainId);
    if (domain === null) return { hostname: name, serial, ca, reordered: false };
    return { hostname: domain.hostname, serial, ca, reordered: await renewNow(tx, domain) };
  });
}

async function revokeAtAuthority(
  context: Context,
  { ca, chain }: StoredCertificate,
  reason: RevocationReason,
): Promise<void> {
  const authority = context.issuance?.authorities.find((each) => each.ca.name === ca);
  if (authority === undefined) {
    throw new ServiceError('validation_failed', {
      message: `The certificate is from ${ca}, which is not among the authorities of NAMEPLATE_CAS.`,
      fix: `Add ${ca} to NAMEPLATE_CAS for this command.`,
    });
  }
  const made = await acmeAccount(context, authority);
  if ('problem' in made) throw notRevoked(ca, made.problem);
  const answer = await authority.revoke(
    made.account,
    new X509Certificate(chain).raw,
    REVOCATION_REASONS[reason],
  );
  if (!answer.ok && answer.problem.type !== 'alreadyRevoked') throw notRevoked(ca, answer.problem);
}

function notRevoked(ca: string, { detail }: AcmeProblem): ServiceError {
  return new ServiceError('validation_failed', {
    message: `${ca} did not revoke the certificate: ${detail}`,
    fix: 'Nothing was changed. Run the command again, or revoke the certificate at the authority.',
  });
}
