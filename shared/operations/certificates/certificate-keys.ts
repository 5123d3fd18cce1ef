import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { DomainId } from '../../core/ids.ts';
import { createSecretBox, type SecretBox } from '../../ports/secret-box.ts';
import type { StoredCertificate } from '../../store/certificates/certificates.ts';
import type { Context } from '../context.ts';

/** Keys of certificates and accounts at rest. What each is bound to stands in one place, so that no row opens as another. */

/** A new P-256 key, in PEM. */
export async function makePrivateKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

export function openPrivateKey(secrets: SecretBox, sealed: string, bound_to: string): KeyObject {
  return createPrivateKey(secrets.open(sealed, bound_to));
}

/** What an account's key is bound to. */
export function accountBinding(directory_url: string): string {
  return JSON.stringify(['acme-account', directory_url]);
}

/** What the key of an order is bound to, before its certificate has a serial. */
export function orderBinding(domain_id: DomainId): string {
  return JSON.stringify(['certificate-order', domain_id]);
}

/** What the key of a certificate, and the data key that seals it, are bound to. */
export function certificateBinding({ domain_id, serial }: CertificateOwner): string {
  return JSON.stringify(['certificate', domain_id, serial]);
}

/** Seals under a new data key, which is sealed under the ring: another key of the ring seals that one alone again. */
export function sealCertificateKey(
  { secrets, random }: Pick<Context, 'secrets' | 'random'>,
  owner: CertificateOwner,
  private_key: string,
): Pick<StoredCertificate, 'private_key' | 'data_key'> {
  const bytes = random(DATA_KEY_BYTES);
  const bound_to = certificateBinding(owner);
  return {
    private_key: createSecretBox(ringOf(bytes), random).seal(private_key, bound_to),
    data_key: secrets.seal(Buffer.from(bytes).toString('base64url'), bound_to),
  };
}

/** @returns PEM. */
export function openCertificateKey(
  { secrets, random }: Pick<Context, 'secrets' | 'random'>,
  certificate: Pick<StoredCertificate, 'domain_id' | 'serial' | 'private_key' | 'data_key'>,
): string {
  const bound_to = certificateBinding(certificate);
  const bytes = Buffer.from(secrets.open(certificate.data_key, bound_to), 'base64url');
  return createSecretBox(ringOf(bytes), random).open(certificate.private_key, bound_to);
}

type CertificateOwner = Pick<StoredCertificate, 'domain_id' | 'serial'>;

const DATA_KEY_BYTES = 32;

function ringOf(bytes: Uint8Array) {
  return { current: 'd', keys: new Map([['d', bytes]]) };
}
