import { createPrivateKey } from 'node:crypto';
import { type ChallengeMethod, challengeCertificate } from '../../core/certificates/acme-challenge.ts';
import { apexOf } from '../../core/domains/hostname.ts';
import type { DomainId } from '../../core/ids.ts';
import type { CertificateSource, ChallengeSource, ServedCertificate } from '../../ports/certificates.ts';
import { findNewestCertificate } from '../../store/certificates/certificates.ts';
import { findKeyAuthorization } from '../../store/certificates/challenges.ts';
import { findRoute, findRouteOwner } from '../../store/domains/routes.ts';
import type { Context } from '../context.ts';
import { makePrivateKey, openCertificateKey } from './certificate-keys.ts';

/** Returns the source of the certificates that the edge serves: the newest certificate of the domain that a name is routed to. */
export function certificateSource(context: Context): CertificateSource {
  return {
    async findCertificate(hostname) {
      const apex = apexOf(hostname);
      const own = await routedCertificate(context, hostname, hostname);
      return own ?? (apex === null ? null : routedCertificate(context, apex, hostname));
    },
  };
}

async function routedCertificate(
  context: Context,
  routed: string,
  hostname: string,
): Promise<ServedCertificate | null> {
  const { store, clock } = context;
  const route = await findRoute(store, routed);
  // Until the holder has a certificate, visitors get the one of the former holder.
  for (const domainId of [route?.domain_id, route?.served_id]) {
    const certificate = domainId && (await findNewestCertificate(store, domainId));
    if (!certificate?.names.includes(hostname) || certificate.not_after <= clock.now()) continue;
    const { chain, serial } = certificate;
    return { chain, serial, private_key: openCertificateKey(context, certificate) };
  }
  return null;
}

/**
 * Returns the source of the challenge responses that the edge serves to certificate authorities. Every node can serve them for the domain
 * that has the hostname's route.
 */
export function challengeSource(context: Context): ChallengeSource {
  return {
    findKeyAuthorization: (hostname, token) => findAnswer(context, { hostname, token, method: 'http-01' }),
    async findChallengeCertificate(hostname) {
      const found = await findAnswer(context, { hostname, method: 'tls-alpn-01' });
      if (found === null) return null;
      // The key is created for each request, because only the digest in the certificate proves anything.
      const privateKey = await makePrivateKey();
      const chain = challengeCertificate(hostname, found, createPrivateKey(privateKey), context.clock.now());
      return { chain, private_key: privateKey, serial: `challenge ${found}` };
    },
  };
}

async function findAnswer(
  context: Context,
  asked: { hostname: string; method: ChallengeMethod; token?: string },
): Promise<string | null> {
  const domainId = await findHolder(context, asked.hostname);
  return domainId && findKeyAuthorization(context.store, { ...asked, domain_id: domainId });
}

/** Returns the domain that a hostname is routed to. For the `www.` name of an apex, that may be the apex's domain. */
export async function findHolder({ store }: Context, hostname: string): Promise<DomainId | null> {
  const apex = apexOf(hostname);
  const own = await findRouteOwner(store, hostname);
  return own ?? (apex === null ? null : findRouteOwner(store, apex));
}
