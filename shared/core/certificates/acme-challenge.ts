import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { DAY_MS, type Instant } from '../instant.ts';
import { keyThumbprint } from './acme-jws.ts';
import { der, toPem } from './der.ts';
import { signCertificate, subjectAltName } from './x509.ts';

/** ACME challenges with which we prove control of a hostname, in order of preference. */
export const CHALLENGE_METHODS = ['http-01', 'tls-alpn-01'] as const;
export type ChallengeMethod = (typeof CHALLENGE_METHODS)[number];

/** Returns the response to a challenge: its token, bound to the account's key (RFC 8555 section 8.1). */
export function keyAuthorization(token: string, accountKey: KeyObject): string {
  return `${token}.${keyThumbprint(accountKey)}`;
}

/** Returns the SHA-256 of the key authorization, which the certificate of a TLS-ALPN-01 challenge contains (RFC 8737 section 3). */
export function challengeDigest(keyAuthorization: string): Uint8Array {
  return createHash('sha256').update(keyAuthorization).digest();
}

/** OID of the `acmeIdentifier` extension (RFC 8737 section 6.1). */
export const ACME_IDENTIFIER = '1.3.6.1.5.5.7.1.31';

/** Signs the certificate that answers a TLS-ALPN-01 challenge, in PEM (RFC 8737 section 3). @param privateKey P-256. */
export function challengeCertificate(
  hostname: string,
  keyAuthorization: string,
  privateKey: KeyObject,
  now: Instant,
): string {
  const digest = challengeDigest(keyAuthorization);
  const certificate = signCertificate({
    public_key: createPublicKey(privateKey),
    subject: 'ACME challenge',
    issuer: 'ACME challenge',
    issuer_key: privateKey,
    serial: digest.subarray(0, 16),
    not_before: now - DAY_MS,
    not_after: now + 7 * DAY_MS,
    extensions: [
      subjectAltName([hostname]),
      { oid: ACME_IDENTIFIER, critical: true, value: der.octets(digest) },
    ],
  });
  return toPem('CERTIFICATE', certificate);
}
