import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  X509Certificate,
} from 'node:crypto';
import {
  der,
  type Extension,
  signCertificate,
  subjectAltName,
  toPem,
} from '../../shared/core/certificates/x509.ts';
import { DAY_MS, HOUR_MS, type Instant } from '../../shared/core/instant.ts';
import type { ServedCertificate } from '../../shared/ports/certificates.ts';

/** A throw-away certificate authority, restricted to server certificates. */
export interface LocalAuthority {
  /** The CA certificate in PEM. */
  certificate: string;
  private_key: KeyObject;
  not_after: Instant;
}

/** The lifetime is short, because a thief of the key can impersonate any site to a developer who trusts this CA. */
const LIFETIME_MS = 90 * DAY_MS;
/** Certificates are valid from this long before now, because containers and their hosts can have different clocks. */
const CLOCK_SKEW_MS = HOUR_MS;

export function makeAuthority(now: Instant): LocalAuthority {
  const privateKey = newKey();
  const publicKey = createPublicKey(privateKey);
  const name = nameOf(publicKey);
  const notAfter = now + LIFETIME_MS;
  const certificate = signCertificate({
    public_key: publicKey,
    subject: name,
    issuer: name,
    issuer_key: privateKey,
    serial: newSerial(),
    not_before: now - CLOCK_SKEW_MS,
    not_after: notAfter,
    extensions: [IS_AUTHORITY, SIGNS_CERTIFICATES, FOR_SERVERS, subjectKeyId(publicKey)],
  });
  return { certificate: toPem('CERTIFICATE', certificate), private_key: privateKey, not_after: notAfter };
}

/** Issues a certificate for one hostname, with a new key. Expires with the authority. */
export function issueFrom(authority: LocalAuthority, hostname: string, now: Instant): ServedCertificate {
  const privateKey = newKey();
  const publicKey = createPublicKey(privateKey);
  const issuerKey = createPublicKey(authority.private_key);
  const serial = newSerial();
  const certificate = signCertificate({
    public_key: publicKey,
    subject: 'Nameplate emulator',
    issuer: nameOf(issuerKey),
    issuer_key: authority.private_key,
    serial,
    not_before: now - CLOCK_SKEW_MS,
    not_after: authority.not_after,
    extensions: [
      subjectAltName([hostname]),
      IS_NO_AUTHORITY,
      SIGNS_HANDSHAKES,
      FOR_SERVERS,
      subjectKeyId(publicKey),
      authorityKeyId(issuerKey),
    ],
  });
  return {
    chain: toPem('CERTIFICATE', certificate),
    private_key: keyPem(privateKey),
    serial: Buffer.from(serial).toString('hex'),
  };
}

/** Formats the key and certificate as PEM, which `readAuthority` reads. */
export function writeAuthority({ private_key, certificate }: LocalAuthority): string {
  return keyPem(private_key) + certificate;
}

/** Parses the PEM of an authority. @returns null if the text is not a key with a matching CA certificate. */
export function readAuthority(text: string): LocalAuthority | null {
  try {
    const privateKey = createPrivateKey(text);
    const certificate = new X509Certificate(text);
    if (!certificate.ca || !certificate.checkPrivateKey(privateKey)) return null;
    return {
      certificate: certificate.toString(),
      private_key: privateKey,
      not_after: certificate.validToDate.getTime(),
    };
  } catch {
    return null; // OpenSSL cannot read it: the caller creates a new one.
  }
}

/** Returns a name unique to the key, so that a trust store can hold two authorities and remove one. */
function nameOf(publicKey: KeyObject): string {
  return `Nameplate emulator CA ${keyId(publicKey).toString('hex', 0, 4)}`;
}

function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

/** Returns an unpredictable, positive serial number of a fixed length (RFC 5280 section 4.1.2.2). */
function newSerial(): Uint8Array {
  return Uint8Array.of(0x7f, ...randomBytes(15));
}

function keyPem(privateKey: KeyObject): string {
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function keyId(publicKey: KeyObject): Buffer {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 20);
}

/** RFC 5280 section 4.2.1.9: path length 0, so this CA cannot issue certificates of further CAs. */
const IS_AUTHORITY: Extension = {
  oid: '2.5.29.19',
  critical: true,
  value: der.sequence(der.boolean(true), der.integer(Uint8Array.of(0))),
};
const IS_NO_AUTHORITY: Extension = { oid: '2.5.29.19', critical: true, value: der.sequence() };

/** RFC 5280 section 4.2.1.3: keyCertSign is bit 5, digitalSignature bit 0. */
const SIGNS_CERTIFICATES = keyUsage(0b0000_0100, 2);
const SIGNS_HANDSHAKES = keyUsage(0b1000_0000, 7);

function keyUsage(bits: number, unused: number): Extension {
  return { oid: '2.5.29.15', critical: true, value: der.bits(Uint8Array.of(bits), unused) };
}

/** RFC 5280 section 4.2.1.12: serverAuth. In a CA certificate, it restricts all certificates that the CA issues. */
const FOR_SERVERS: Extension = { oid: '2.5.29.37', value: der.sequence(der.oid('1.3.6.1.5.5.7.3.1')) };

function subjectKeyId(publicKey: KeyObject): Extension {
  return { oid: '2.5.29.14', value: der.octets(keyId(publicKey)) };
}

function authorityKeyId(issuerKey: KeyObject): Extension {
  return { oid: '2.5.29.35', value: der.sequence(der.implicit(0, keyId(issuerKey))) };
}
