import ipaddr from 'ipaddr.js';
import { escapedText, Malformed, readWireName } from './wire-name.ts';

/** The data of a record: `bytes[start..end)` of a message. Names in the data may contain pointers to earlier bytes of the message. */
export interface RecordData {
  bytes: Buffer;
  start: number;
  end: number;
}

/** How to decode a type of record. Records of unknown types are skipped. */
export interface RecordDecoder {
  type: string;
  /** Returns the data in presentation format, the `value` of a `SeenRecord`. @throws Malformed */
  read: (data: RecordData) => string;
}

export const RECORD_TYPES: ReadonlyMap<number, RecordDecoder> = new Map([
  [1, { type: 'A', read: (data) => address(data, 4) }],
  [2, { type: 'NS', read: onlyName }],
  [5, { type: 'CNAME', read: onlyName }],
  [6, { type: 'SOA', read: soa }],
  [15, { type: 'MX', read: mx }],
  [16, { type: 'TXT', read: txt }],
  [28, { type: 'AAAA', read: (data) => address(data, 16) }],
  [43, { type: 'DS', read: ds }],
  [48, { type: 'DNSKEY', read: dnskey }],
  [65, { type: 'HTTPS', read: https }],
  [257, { type: 'CAA', read: caa }],
]);

/** Returns the number of a type of `RECORD_TYPES`. */
export function typeNumber(type: string): number {
  for (const [number, known] of RECORD_TYPES) if (known.type === type) return number;
  throw new TypeError(`${type} is not a type of RECORD_TYPES`);
}

/** Maximum number of characters to store of one record. The values that we expect are shorter, and a survey stores many answers. */
const TXT_CHARS_MAX = 2048;

function address({ bytes, start, end }: RecordData, length: number): string {
  if (end - start !== length) throw new Malformed('an address of the wrong length');
  const parsed = ipaddr.fromByteArray([...bytes.subarray(start, end)]);
  return parsed.kind() === 'ipv6' ? (parsed as ipaddr.IPv6).toRFC5952String() : parsed.toString();
}

function onlyName({ bytes, start, end }: RecordData): string {
  const read = readWireName(bytes, start);
  if (read.end !== end) throw new Malformed('a name that does not fill its record');
  return read.name;
}

function soa({ bytes, start, end }: RecordData): string {
  const primary = readWireName(bytes, start);
  const mailbox = readWireName(bytes, primary.end);
  if (end - mailbox.end !== 20) throw new Malformed('a SOA of the wrong length');
  const numbers = [0, 4, 8, 12, 16].map((offset) => bytes.readUInt32BE(mailbox.end + offset));
  return [primary.name, mailbox.name, ...numbers].join(' ');
}

/** Decodes an MX record: the preference and the mail server (RFC 1035 section 3.3.9). */
function mx({ bytes, start, end }: RecordData): string {
  if (end - start < 3) throw new Malformed('a short MX');
  return `${bytes.readUInt16BE(start)} ${onlyName({ bytes, start: start + 2, end })}`;
}

/** Decodes a TXT record. Joins its strings without spaces, as is common practice (RFC 7208 section 3.3). */
function txt({ bytes, start, end }: RecordData): string {
  let text = '';
  for (let at = start; at < end; ) {
    const length = bytes[at] ?? 0;
    if (at + 1 + length > end) throw new Malformed('a string that runs out of its record');
    if (text.length < TXT_CHARS_MAX) text += escapedText(bytes.subarray(at + 1, at + 1 + length), '\\');
    at += 1 + length;
  }
  return text.slice(0, TXT_CHARS_MAX);
}

function ds({ bytes, start, end }: RecordData): string {
  if (end - start < 5) throw new Malformed('a short DS');
  const digest = bytes.toString('hex', start + 4, end).toUpperCase();
  return `${bytes.readUInt16BE(start)} ${bytes[start + 2]} ${bytes[start + 3]} ${digest}`;
}

/** Decodes a DNSKEY record: flags, protocol, algorithm and the key (RFC 4034 section 2.1). */
function dnskey({ bytes, start, end }: RecordData): string {
  if (end - start < 5) throw new Malformed('a short DNSKEY');
  const key = bytes.toString('base64', start + 4, end);
  return `${bytes.readUInt16BE(start)} ${bytes[start + 2]} ${bytes[start + 3]} ${key}`;
}

/**
 * Decodes an HTTPS record: the priority, the target and the parameters (RFC 9460 section 2.2). Parameters that no caller compares stay in
 * their generic form.
 */
function https({ bytes, start, end }: RecordData): string {
  if (end - start < 3) throw new Malformed('a short HTTPS');
  const target = readWireName(bytes, start + 2);
  const parts = [String(bytes.readUInt16BE(start)), target.name];
  for (let at = target.end; at < end; ) {
    const from = at + 4;
    const to = from > end ? from : from + bytes.readUInt16BE(at + 2);
    if (to > end) throw new Malformed('a parameter that runs out of its record');
    const key = bytes.readUInt16BE(at);
    parts.push(
      SERVICE_PARAMETERS[key]?.(bytes.subarray(from, to)) ??
        `key${key}="${escapedText(bytes.subarray(from, to), '"\\')}"`,
    );
    at = to;
  }
  if (target.end > end) throw new Malformed('a name that runs out of its record');
  return parts.join(' ').slice(0, TXT_CHARS_MAX);
}

/** How to decode parameters of an HTTPS record, by number (RFC 9460 section 14.3.2). */
const SERVICE_PARAMETERS: Readonly<Record<number, (value: Buffer) => string>> = {
  3: (value) => `port=${value.length === 2 ? value.readUInt16BE(0) : ''}`,
  4: (value) => `ipv4hint=${addresses(value, 4)}`,
  5: (value) => `ech=${value.toString('base64')}`,
  6: (value) => `ipv6hint=${addresses(value, 16)}`,
};

function addresses(bytes: Buffer, length: number): string {
  const starts = Array.from({ length: Math.ceil(bytes.length / length) }, (_, index) => index * length);
  return starts
    .map((start) => address({ bytes, start, end: Math.min(start + length, bytes.length) }, length))
    .join(',');
}

/**
 * Decodes a CAA record: flags, the tag with its length, and the value in the remaining bytes (RFC 8659 section 4.1). Tags are
 * case-insensitive.
 */
function caa({ bytes, start, end }: RecordData): string {
  const tagLength = start + 2 <= end ? (bytes[start + 1] ?? 0) : 0;
  const tag = bytes.toString('latin1', start + 2, Math.min(start + 2 + tagLength, end)).toLowerCase();
  if (tag.length < 1 || tag.length !== tagLength || !/^[a-z0-9]+$/.test(tag)) {
    throw new Malformed('a CAA with a bad tag');
  }
  const value = escapedText(bytes.subarray(start + 2 + tagLength, end), '"\\').slice(0, TXT_CHARS_MAX);
  return `${bytes[start]} ${tag} "${value}"`;
}
