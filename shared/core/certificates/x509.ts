import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { Instant } from '../instant.ts';
import { der } from './der.ts';

/** An extension of a certificate (RFC 5280 section 4.2). */
export interface Extension {
  /** Dotted notation. */
  oid: string;
  critical?: boolean;
  value: Uint8Array;
}

/** Creates a certificate request (RFC 2986). @param privateKey P-256. @returns DER. */
export function certificateRequest(privateKey: KeyObject, names: readonly string[]): Uint8Array {
  // The subject may be empty if the names are in the extension (RFC 8555 section 7.4). A long name would not fit into a common name.
  const requested = der.sequence(
    der.oid('1.2.840.113549.1.9.14'),
    der.set(extensions([subjectAltName(names)])),
  );
  const info = der.sequence(
    der.integer(Uint8Array.of(0)),
    der.sequence(),
    publicKeyInfo(createPublicKey(privateKey)),
    der.tagged(0, requested),
  );
  return signed(info, privateKey);
}

export interface NewCertificate {
  public_key: KeyObject;
  /** Common names. */
  subject: string;
  issuer: string;
  /** The issuer's P-256 key. For a self-signed certificate, it is the subject's own key. */
  issuer_key: KeyObject;
  /** At most 20 bytes, read as an unsigned number. */
  serial: Uint8Array;
  not_before: Instant;
  not_after: Instant;
  extensions: readonly Extension[];
}

/** Signs a certificate (RFC 5280 section 4.1). @returns DER. */
export function signCertificate(made: NewCertificate): Uint8Array {
  const body = der.sequence(
    der.tagged(0, der.integer(Uint8Array.of(2))),
    der.integer(made.serial),
    ECDSA_WITH_SHA256,
    commonName(made.issuer),
    der.sequence(der.time(made.not_before), der.time(made.not_after)),
    commonName(made.subject),
    publicKeyInfo(made.public_key),
    der.tagged(3, extensions(made.extensions)),
  );
  return signed(body, made.issuer_key);
}

/** Creates the extension that lists the names of a certificate (RFC 5280 section 4.2.1.6). */
export function subjectAltName(names: readonly string[]): Extension {
  return {
    oid: '2.5.29.17',
    value: der.sequence(...names.map((name) => der.implicit(2, Buffer.from(name, 'ascii')))),
  };
}

const ECDSA_WITH_SHA256 = der.sequence(der.oid('1.2.840.10045.4.3.2'));

function signed(body: Uint8Array, privateKey: KeyObject): Uint8Array {
  return der.sequence(body, ECDSA_WITH_SHA256, der.bits(sign('sha256', body, privateKey)));
}

function publicKeyInfo(publicKey: KeyObject): Uint8Array {
  return publicKey.export({ type: 'spki', format: 'der' });
}

function commonName(text: string): Uint8Array {
  return der.sequence(der.set(der.sequence(der.oid('2.5.4.3'), der.utf8(text))));
}

function extensions(given: readonly Extension[]): Uint8Array {
  const each = ({ oid, critical, value }: Extension) =>
    der.sequence(der.oid(oid), ...(critical ? [der.boolean(true)] : []), der.octets(value));
  return der.sequence(...given.map(each));
}
