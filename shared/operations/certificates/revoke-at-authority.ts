import { X509Certificate } from 'node:crypto';
import type { AcmeProblem } from '../../core/certificates/acme-problem.ts';
import { REVOCATION_REASONS, type RevocationReason } from '../../core/certificates/certificate.ts';
import type { StoredCertificate } from '../../store/certificates/certificates.ts';
import type { Context } from '../context.ts';
import { acmeAccount } from './acme-account.ts';

/**
 * Revokes a certificate with the account that ordered it (RFC 8555 section 7.6). If it was revoked before, that counts as success.
 * @returns null if it is revoked, the authority's problem, or `unknown_authority` if the operator's list does not have the authority.
 */
export async function revokeAtAuthority(
  context: Context,
  { ca, chain }: Pick<StoredCertificate, 'ca' | 'chain'>,
  reason: RevocationReason,
): Promise<AcmeProblem | 'unknown_authority' | null> {
  const authority = context.issuance?.authorities.find((each) => each.ca.name === ca);
  if (authority === undefined) return 'unknown_authority';
  const made = await acmeAccount(context, authority);
  if ('problem' in made) return made.problem;
  const certificate = new X509Certificate(chain).raw;
  const answer = await authority.revoke(made.account, certificate, REVOCATION_REASONS[reason]);
  return answer.ok || answer.problem.type === 'alreadyRevoked' ? null : answer.problem;
}
