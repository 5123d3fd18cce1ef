import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { Instant } from '../instant.ts';

/** An extension of a certificate (RFC 5280 section 4.2). */
export interface Extension {
  /** The OID in dotted notation, such as `2.5.29.17`. */
  oid: string;
  critical?: boolean;
  value: Uint8Array;
}

/** Creates a certificate request (RFC 2986). @param privateKey a P-256 key. @returns the request in DER. */
export function certificateRequest(privateKey: KeyObject, names: readonly string[]): Uint8Array {
  // The subject is empty, because the extension has the names (RFC 8555 section 7.4), and a long name would not fit into a common name.
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
  /** The issuer's and the subject's common names. */
  subject: string;
  issuer: string;
  /** The issuer's P-256 key. For a self-signed certificate, it is the subject's own key. */
  issuer_key: KeyObject;
  /** The serial number: at most 20 bytes, read as an unsigned number. */
  serial: Uint8Array;
  not_before: Instant;
  not_after: Instant;
  extensions: readonly Extension[];
}

/** Signs a certificate (RFC 5280 section 4.1). @returns the certificate in DER. */
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

/** Writes the parts of DER (X.690) that a certificate request and a small certificate need (RFC 2986, RFC 5280). */
export const der = {
  sequence: (...parts: Uint8Array[]) => element(0x30, ...parts),
  set: (...parts: Uint8Array[]) => element(0x31, ...parts),
  /** @param bytes a number that is not negative, big-endian. */
  integer(bytes: Uint8Array) {
    const start = bytes.findIndex((byte) => byte !== 0);
    const digits = start < 0 ? Uint8Array.of(0) : bytes.subarray(start);
    return element(0x02, ...((digits[0] ?? 0) > 127 ? [Uint8Array.of(0), digits] : [digits]));
  },
  /** @param dotted an OID such as `2.5.29.17`. */
  oid(dotted: string) {
    const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
    return element(0x06, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)));
  },
  boolean: (value: boolean) => element(0x01, Uint8Array.of(value ? 0xff : 0)),
  octets: (...parts: Uint8Array[]) => element(0x04, ...parts),
  /** @param unused number of unused bits at the end. */
  bits: (bytes: Uint8Array, unused = 0) => element(0x03, Uint8Array.of(unused), bytes),
  utf8: (text: string) => element(0x0c, Buffer.from(text)),
  /** A time with a precision of seconds: UTCTime through 2049, and GeneralizedTime from 2050 on (RFC 5280 section 4.1.2.5). */
  time(instant: number) {
    const digits = new Date(instant).toISOString().replace(/\.\d+|[-:T]/g, '');
    return digits < '2050' ? element(0x17, Buffer.from(digits.slice(2))) : element(0x18, Buffer.from(digits));
  },
  /** An element with the tag `[n]` and constructed content. */
  tagged: (tag: number, ...parts: Uint8Array[]) => element(0xa0 | tag, ...parts),
  /** An element with the tag `[n] IMPLICIT` and primitive content. */
  implicit: (tag: number, bytes: Uint8Array) => element(0x80 | tag, bytes),
};

export interface DerElement {
  tag: number;
  content: Uint8Array;
}

/** Parses consecutive DER elements. @throws RangeError if the bytes are not DER. */
export function readDer(bytes: Uint8Array): DerElement[] {
  const elements: DerElement[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0;
    let length = bytes[at + 1] ?? -1;
    at += 2;
    if (length > 127) {
      const digits = bytes.subarray(at, at + (length & 127));
      if (length > 132 || digits.length < (length & 127)) throw new RangeError('not DER');
      at += digits.length;
      length = digits.reduce((sum, digit) => sum * 256 + digit, 0);
    }
    if (length < 0 || at + length > bytes.length) throw new RangeError('not DER');
    elements.push({ tag, content: bytes.subarray(at, at + length) });
    at += length;
  }
  return elements;
}

export function toPem(label: 'CERTIFICATE' | 'CERTIFICATE REQUEST', bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

function element(tag: number, ...parts: Uint8Array[]): Uint8Array {
  const content = Buffer.concat(parts);
  return Buffer.concat([Uint8Array.of(tag, ...lengthOf(content.length)), content]);
}

function lengthOf(length: number): number[] {
  if (length < 128) return [length];
  const digits: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  return [0x80 | digits.length, ...digits];
}

function base128(value: number): number[] {
  const digits = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    digits.unshift(0x80 | (rest % 128));
  }
  return digits;
}

const ECDSA_WITH_SHA256 = der.sequence(der.oid('1.2.840.10045.4.3.2'));
