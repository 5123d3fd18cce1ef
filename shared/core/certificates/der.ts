/** Writes the parts of DER (X.690) that a certificate request and a small certificate need (RFC 2986, RFC 5280). */
export const der = {
  sequence: (...parts: Uint8Array[]) => element(0x30, ...parts),
  set: (...parts: Uint8Array[]) => element(0x31, ...parts),
  /** @param bytes big-endian and not negative. */
  integer(bytes: Uint8Array) {
    const start = bytes.findIndex((byte) => byte !== 0);
    const digits = start < 0 ? Uint8Array.of(0) : bytes.subarray(start);
    return element(0x02, ...((digits[0] ?? 0) > 127 ? [Uint8Array.of(0), digits] : [digits]));
  },
  /** @param dotted such as `2.5.29.17`. */
  oid(dotted: string) {
    const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
    return element(0x06, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)));
  },
  boolean: (value: boolean) => element(0x01, Uint8Array.of(value ? 0xff : 0)),
  octets: (...parts: Uint8Array[]) => element(0x04, ...parts),
  /** @param unused number of unused bits at the end. */
  bits: (bytes: Uint8Array, unused = 0) => element(0x03, Uint8Array.of(unused), bytes),
  utf8: (text: string) => element(0x0c, Buffer.from(text)),
  /** Seconds precision: UTCTime through 2049, GeneralizedTime from then on (RFC 5280 section 4.1.2.5). */
  time(instant: number) {
    const digits = new Date(instant).toISOString().replace(/\.\d+|[-:T]/g, '');
    return digits < '2050' ? element(0x17, Buffer.from(digits.slice(2))) : element(0x18, Buffer.from(digits));
  },
  /** `[n]`, constructed. */
  tagged: (tag: number, ...parts: Uint8Array[]) => element(0xa0 | tag, ...parts),
  /** `[n] IMPLICIT`, primitive. */
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
