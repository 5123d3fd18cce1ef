import { type KeyObject, X509Certificate } from 'node:crypto';
import type { Instant } from '../instant.ts';
import { readDer } from './x509.ts';

/** The fields of an issued certificate that the service stores. */
export interface IssuedCertificate {
  /** The chain in PEM, the leaf first. */
  chain: string;
  /** The serial number in lowercase hex. */
  serial: string;
  /** Organization and common name, such as `Let's Encrypt R11`. */
  issuer: string;
  /** The hostnames that the certificate covers, in lowercase. */
  names: readonly string[];
  not_before: Instant;
  not_after: Instant;
  /** The certificate's ARI identifier (RFC 9773 section 4.1); null if the certificate has no authority key identifier. */
  ari_id: string | null;
}

/**
 * Parses the chain that a certificate authority issued.
 * @throws Error if the text is not a chain, or if the leaf is for another key or lacks one of the names.
 */
export function readIssued(
  chain: string,
  expected: { private_key: KeyObject; names: readonly string[] },
): IssuedCertificate {
  const [first, ...others] = chain.match(PEM_CERTIFICATE) ?? [];
  if (first === undefined) throw new Error('The certificate authority returned no certificate');
  const leaf = new X509Certificate(first);
  if (!leaf.checkPrivateKey(expected.private_key)) throw new Error('The certificate is for a different key');
  const names = namesOf(leaf);
  const missing = expected.names.find((name) => !names.includes(name));
  if (missing !== undefined) throw new Error(`The certificate does not cover ${missing}`);
  return {
    chain: [first, ...others].map((each) => `${each}\n`).join(''),
    serial: leaf.serialNumber.toLowerCase(),
    issuer: issuerOf(leaf),
    names,
    not_before: leaf.validFromDate.getTime(),
    not_after: leaf.validToDate.getTime(),
    ari_id: ariId(leaf),
  };
}

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function namesOf({ subjectAltName = '' }: X509Certificate): string[] {
  return [...subjectAltName.matchAll(/DNS:([^,\s]+)/g)].map(([, name = '']) => name.toLowerCase());
}

/** Returns the issuer's organization and common name, such as `Let's Encrypt R11`. */
function issuerOf({ issuer }: X509Certificate): string {
  const field = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(issuer)?.[1];
  return [field('O'), field('CN')].filter((part) => part !== undefined).join(' ') || 'unknown';
}

/** Returns `base64url(key identifier of the issuer).base64url(serial)` (RFC 9773 section 4.1). */
function ariId(leaf: X509Certificate): string | null {
  const [body] = readDer(readDer(leaf.raw)[0]?.content ?? new Uint8Array());
  const fields = readDer(body?.content ?? new Uint8Array());
  const serial = fields.find(({ tag }) => tag === 0x02)?.content;
  const list = fields.find(({ tag }) => tag === 0xa3)?.content;
  if (serial === undefined || list === undefined) return null;
  const extensions = readDer(readDer(list)[0]?.content ?? new Uint8Array()).map(({ content }) =>
    readDer(content),
  );
  const authority = extensions.find(([oid]) => Buffer.from(oid?.content ?? []).equals(AUTHORITY_KEY));
  const value = authority?.at(-1)?.content;
  const key =
    value && readDer(readDer(value)[0]?.content ?? new Uint8Array()).find(({ tag }) => tag === 0x80);
  if (!key) return null;
  return `${Buffer.from(key.content).toString('base64url')}.${Buffer.from(serial).toString('base64url')}`;
}

/** DER value of the OID 2.5.29.35, authorityKeyIdentifier (RFC 5280 section 4.2.1.1). */
const AUTHORITY_KEY = Uint8Array.of(0x55, 0x1d, 0x23);
