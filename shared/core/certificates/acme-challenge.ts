import { createHash, createPublicKey, hash, type KeyObject } from 'node:crypto';
import type { DomainId } from '../ids.ts';
import { DAY_MS, type Instant } from '../instant.ts';
import { keyThumbprint } from './acme-jws.ts';
import { der, signCertificate, subjectAltName, toPem } from './x509.ts';

/** ACME challenges with which we prove control of a hostname, in order of preference. */
export const CHALLENGE_METHODS = ['dns-01', 'http-01', 'tls-alpn-01'] as const;
export type ChallengeMethod = (typeof CHALLENGE_METHODS)[number];

/**
 * The methods that a certificate authority validates at our edge. They need no DNS record beyond the one that points the hostname to us.
 */
export const EDGE_METHODS: readonly ChallengeMethod[] = ['http-01', 'tls-alpn-01'];

/** The label that, put in front of a hostname, gives the name at which DNS-01 validates the hostname (RFC 8555 section 8.4). */
export const CHALLENGE_LABEL = '_acme-challenge';

export function challengeName(hostname: string): string {
  return `${CHALLENGE_LABEL}.${hostname}`;
}

/** Returns the text of the TXT record that answers a DNS-01 challenge (RFC 8555 section 8.4). */
export function challengeText(keyAuthorization: string): string {
  return Buffer.from(challengeDigest(keyAuthorization)).toString('base64url');
}

/**
 * Returns the name to which a customer delegates a hostname's challenges. No other domain has this name, so the delegation proves that the
 * customer consents to this domain and to no other.
 * @param challengeZone the zone that our own name servers answer for: `Settings.challengeZone`.
 */
export function delegationTarget(domainId: DomainId, challengeZone: string): string {
  return `${delegationLabel(domainId)}.${challengeZone}`;
}

/** Returns the first label of a domain's `delegationTarget`. It is a digest, because a domain's id must not become public. */
export function delegationLabel(domainId: DomainId): string {
  return hash('sha256', `challenges of ${domainId}`, 'hex').slice(0, LABEL_CHARS);
}

/** The number of hex digits in the label, which are 128 bits. */
const LABEL_CHARS = 32;

/** Returns the URL at which HTTP-01 validates a host (RFC 8555 section 8.3). */
export function challengeUrl(host: string, token: string): string {
  return `http://${host}/.well-known/acme-challenge/${token}`;
}

/** Returns the response to a challenge: the challenge's token, bound to the account's key (RFC 8555 section 8.1). */
export function keyAuthorization(token: string, accountKey: KeyObject): string {
  return `${token}.${keyThumbprint(accountKey)}`;
}

/** Returns the SHA-256 of the key authorization, which the certificate of a TLS-ALPN-01 challenge contains (RFC 8737 section 3). */
export function challengeDigest(keyAuthorization: string): Uint8Array {
  return createHash('sha256').update(keyAuthorization).digest();
}

/** OID of the `acmeIdentifier` extension (RFC 8737 section 6.1). */
export const ACME_IDENTIFIER = '1.3.6.1.5.5.7.1.31';

/** Creates and signs the certificate that answers a TLS-ALPN-01 challenge, in PEM (RFC 8737 section 3). @param privateKey a P-256 key. */
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
