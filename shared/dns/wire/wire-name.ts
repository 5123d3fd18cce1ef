/** A domain name in a message. */
export interface WireName {
  /** The name in lowercase, without a trailing dot; `.` for the root. Unusual bytes are escaped (RFC 4343). */
  name: string;
  /** The offset after the name. */
  end: number;
}

/** Thrown for a malformed message. `dns-message.ts` and `dns-query.ts` always catch it. */
export class Malformed extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'Malformed';
  }
}

/**
 * Maximum number of compression pointers in a name, more than any encoder needs. Pointers only point backwards, so they cannot form a loop.
 * This limit bounds the time to read a name.
 */
const POINTERS_MAX = 64;
const NAME_BYTES_MAX = 255;
export const HEADER_BYTES = 12;

/**
 * Returns the offset after a name (RFC 1035 sections 3.1 and 4.1.4). A name at the start of the question cannot end in a pointer, because
 * no name comes before it.
 * @param visit called with each label, without its length.
 * @throws Malformed
 */
export function endOfName(bytes: Buffer, start: number, visit?: (label: Buffer) => void): number {
  let end: number | null = null;
  let length = 1;
  let pointers = 0;
  let earliest = start;
  for (let at = start; ; ) {
    const byte = bytes[at];
    if (byte === undefined) throw new Malformed('a name that runs out of the message');
    if (byte === 0) return end ?? at + 1;
    if (byte < 64) {
      length += byte + 1;
      if (length > NAME_BYTES_MAX) throw new Malformed('a name of more than 255 bytes');
      if (at + 1 + byte > bytes.length) throw new Malformed('a label that runs out of the message');
      visit?.(bytes.subarray(at + 1, at + 1 + byte));
      at += byte + 1;
      continue;
    }
    const low = bytes[at + 1];
    if (byte < 192 || low === undefined) throw new Malformed('an unknown kind of label');
    end ??= at + 2;
    at = (byte - 192) * 256 + low;
    pointers += 1;
    if (at >= earliest || at < HEADER_BYTES || pointers > POINTERS_MAX) throw new Malformed('a bad pointer');
    earliest = at;
  }
}

/** Decodes a name. Two names that differ on the wire stay different. @throws Malformed */
export function readWireName(bytes: Buffer, start: number): WireName {
  const labels: string[] = [];
  const end = endOfName(bytes, start, (label) => labels.push(escapedLabel(label)));
  return { name: labels.join('.') || '.', end };
}

/** Returns whether a name can be sent in a question. Names with escapes cannot, because `wireNameBytes` does not support them. */
export function isAskable(name: string): boolean {
  if (name === '.') return true;
  const isPlain = name.length <= 253 && /^[!-[\]-~]+$/.test(name);
  return isPlain && name.split('.').every((label) => label.length > 0 && label.length <= 63);
}

/** Encodes a name that passes `isAskable`, without compression. */
export function wireNameBytes(name: string): Buffer {
  const labels = name === '.' ? [] : name.split('.');
  return Buffer.concat([
    ...labels.map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`, 'latin1')),
    Buffer.alloc(1),
  ]);
}

/** Returns the parent name, or null for the root. */
export function parentOf(name: string): string | null {
  if (name === '.') return null;
  const dot = name.indexOf('.');
  return dot < 0 ? '.' : name.slice(dot + 1);
}

/** Returns whether a name is at or below a zone. Every name is below the root. */
export function isWithin(name: string, zone: string): boolean {
  return zone === '.' || name === zone || name.endsWith(`.${zone}`);
}

/** Returns bytes as printable ASCII. Other bytes become `\DDD`, and special characters get a backslash. */
export function escapedText(bytes: Uint8Array, special: string): string {
  let text = '';
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    if (byte < 0x20 || byte > 0x7e) text += `\\${String(byte).padStart(3, '0')}`;
    else text += special.includes(character) ? `\\${character}` : character;
  }
  return text;
}

function escapedLabel(label: Buffer): string {
  const text = escapedText(label, '.\\').replaceAll(' ', '\\032');
  return text.toLowerCase();
}
