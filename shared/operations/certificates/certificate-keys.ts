import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { DomainId } from '../../core/ids.ts';
import type { SecretBox } from '../../ports/system.ts';
import type { StoredCertificate } from '../../store/certificates/certificates.ts';
import type { Context } from '../context.ts';

/**
 * Seals and opens the private keys of certificates and accounts. Each sealed key is bound to its row. All bindings are defined here, so
 * that the key of one row cannot be opened as the key of another.
 */

/** Returns a new P-256 key, in PEM. */
export async function makePrivateKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

export function openPrivateKey(secrets: SecretBox, sealed: string, boundTo: string): KeyObject {
  return createPrivateKey(secrets.open(sealed, boundTo));
}

/** Returns the text to which an ACME account's encrypted key is bound. */
export function accountBinding(directoryUrl: string): string {
  return JSON.stringify(['acme-account', directoryUrl]);
}

/** Returns the text to which an order's encrypted key is bound, until the certificate has a serial number. */
export function orderBinding(domainId: DomainId): string {
  return JSON.stringify(['certificate-order', domainId]);
}

/** Returns a new sealed private key for an order. */
export async function makeOrderKey(secrets: SecretBox, domainId: DomainId): Promise<string> {
  return secrets.seal(await makePrivateKey(), orderBinding(domainId));
}

/** Returns the text to which a certificate's encrypted private key and data key are bound. */
export function certificateBinding({ domain_id, serial }: CertificateOwner): string {
  return JSON.stringify(['certificate', domain_id, serial]);
}

/**
 * Seals a certificate's key under a new data key, and the data key under the key ring. To rotate the key of the ring, only the data key has
 * to be sealed again.
 */
export function sealCertificateKey(
  { secrets, random }: Pick<Context, 'secrets' | 'random'>,
  owner: CertificateOwner,
  privateKey: string,
): Pick<StoredCertificate, 'private_key' | 'data_key'> {
  const bytes = random(DATA_KEY_BYTES);
  const boundTo = certificateBinding(owner);
  return {
    private_key: secrets.withKey(bytes).seal(privateKey, boundTo),
    data_key: secrets.seal(Buffer.from(bytes).toString('base64url'), boundTo),
  };
}

/** Opens a certificate's key. @returns the private key, in PEM. */
export function openCertificateKey(
  { secrets }: Pick<Context, 'secrets'>,
  certificate: Pick<StoredCertificate, 'domain_id' | 'serial' | 'private_key' | 'data_key'>,
): string {
  const boundTo = certificateBinding(certificate);
  const bytes = Buffer.from(secrets.open(certificate.data_key, boundTo), 'base64url');
  return secrets.withKey(bytes).open(certificate.private_key, boundTo);
}

type CertificateOwner = Pick<StoredCertificate, 'domain_id' | 'serial'>;

const DATA_KEY_BYTES = 32;
