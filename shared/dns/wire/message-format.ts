import { endOfName, Malformed } from './wire-name.ts';

/** Constants and functions for DNS messages (RFC 1035 section 4.1), for both our client and our server. */
export const CLASS_IN = 1;
export const TYPE_OPT = 41;
export const OPTION_COOKIE = 10;

/** Flags in the second word of the header. */
export const FLAGS = {
  response: 0x8000,
  authoritative: 0x0400,
  truncated: 0x0200,
  recursionDesired: 0x0100,
  recursionAvailable: 0x0080,
  checkingDisabled: 0x0010,
};

/** Maximum size of an answer over UDP. No path fragments a packet of this size (RFC 9715). */
export const UDP_BYTES_MAX = 1232;

/** A record in a message. Its owner's name begins at `at`, and its data is `bytes[start..end)`. */
export interface WireRecord {
  at: number;
  type: number;
  /** The class. In an OPT record, the maximum size of a UDP response that the sender accepts (RFC 6891 section 6.1.2). */
  class: number;
  /** The TTL. In an OPT record, the upper bits of the RCODE, the version and the flags (RFC 6891 section 6.1.3). */
  ttl: number;
  start: number;
  end: number;
}

/**
 * Reads all records after the question. Passes each record, except the OPT record, and the index of its section to `visit`.
 * @param start the offset after the question.
 * @returns the offset after the last record, and the OPT record.
 * @throws Malformed if there are more than `recordsMax`
 */
export function readRecords(
  bytes: Buffer,
  start: number,
  recordsMax: number,
  visit: (record: WireRecord, section: 0 | 1 | 2) => void,
): { end: number; opt: WireRecord | null } {
  const counts = [word(bytes, 6), word(bytes, 8), word(bytes, 10)] as const;
  if (counts[0] + counts[1] + counts[2] > recordsMax) throw new Malformed('too many records');
  let end = start;
  let opt: WireRecord | null = null;
  for (const section of [0, 1, 2] as const) {
    for (let left = counts[section]; left > 0; left--) {
      const record = readRecord(bytes, end);
      end = record.end;
      if (record.type !== TYPE_OPT) visit(record, section);
      // A message may have only one OPT record, in the additional section, and its owner is the root (RFC 6891 section 6.1.1).
      else if (section !== 2 || opt !== null || bytes[record.at] !== 0) throw new Malformed('a stray OPT');
      else opt = record;
    }
  }
  return { end, opt };
}

function readRecord(bytes: Buffer, at: number): WireRecord {
  const head = endOfName(bytes, at);
  const start = head + 10;
  const end = start + word(bytes, head + 8);
  if (end > bytes.length) throw new Malformed('a record that runs out of the message');
  const ttl = word(bytes, head + 4) * 0x1_0000 + word(bytes, head + 6);
  return { at, type: word(bytes, head), class: word(bytes, head + 2), ttl, start, end };
}

/** Passes the options of an OPT record to `visit`. @throws Malformed */
export function readOptions(
  bytes: Buffer,
  opt: WireRecord,
  visit: (code: number, value: Buffer) => void,
): void {
  for (let at = opt.start; at < opt.end; ) {
    const next = at + 4 + word(bytes, at + 2);
    if (at + 4 > opt.end || next > opt.end) throw new Malformed('an option that runs out of its record');
    visit(word(bytes, at), bytes.subarray(at + 4, next));
    at = next;
  }
}

/**
 * Encodes an OPT record (RFC 6891 section 6.1.2).
 * @param rcodeHigh the upper bits of the RCODE.
 * @param cookie the value of the COOKIE option, which is the only option of the record.
 */
export function encodeOpt(rcodeHigh: number, dnssecOk: boolean, cookie: Buffer | null): Buffer {
  const optionBytes = cookie === null ? 0 : 4 + cookie.length;
  const opt = Buffer.alloc(OPT_BYTES + optionBytes);
  writeWords(opt, 1, [TYPE_OPT, UDP_BYTES_MAX, rcodeHigh << 8, dnssecOk ? 0x8000 : 0, optionBytes]);
  if (cookie !== null) cookie.copy(opt, writeWords(opt, OPT_BYTES, [OPTION_COOKIE, cookie.length]));
  return opt;
}

const OPT_BYTES = 11;

/** Writes 16-bit numbers into a message. @returns the offset after the numbers. */
export function writeWords(bytes: Buffer, start: number, values: readonly number[]): number {
  let at = start;
  for (const value of values) {
    bytes[at] = value >> 8;
    bytes[at + 1] = value & 0xff;
    at += 2;
  }
  return at;
}

/** Reads a 16-bit number. Faster than `readUInt16BE`, because the caller checks the length. */
export function word(bytes: Buffer, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}
