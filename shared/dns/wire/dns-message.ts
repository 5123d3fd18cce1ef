import type { LookupType, SeenRecord } from '../../core/dns/dns-survey.ts';
import { RECORD_TYPES } from './record-data.ts';
import { Malformed, readWireName, wireNameBytes } from './wire-name.ts';

/** A question to a server. */
export interface Question {
  /** A name that passes `isAskable`. */
  name: string;
  type: LookupType;
  /** RD: set for a resolver, not for a zone's own server. */
  recursion: boolean;
  /** CD: asks for an answer without DNSSEC validation (RFC 4035 section 3.2.2). */
  checkingDisabled: boolean;
}

/** The answer to a question: the records of class IN whose type is in `RECORD_TYPES`. */
export interface DnsMessage {
  /** The response code, with the upper bits from EDNS. */
  rcode: number;
  authoritative: boolean;
  truncated: boolean;
  recursionAvailable: boolean;
  hasEdns: boolean;
  answers: readonly SeenRecord[];
  authorities: readonly SeenRecord[];
  additionals: readonly SeenRecord[];
  /** The INFO-CODEs of Extended DNS Errors (RFC 8914), without duplicates. */
  ede: readonly number[];
}

/** The largest answer over UDP. No path fragments a packet of this size (RFC 9715). */
export const UDP_BYTES_MAX = 1232;

/** Encodes a question as a message (RFC 1035 section 4.1). @param id 16 bits. @param edns adds an OPT record (RFC 6891 section 6.1.2). */
export function encodeQuestion(question: Question, id: number, edns: boolean): Buffer {
  const { name, type, recursion, checkingDisabled } = question;
  const flags = (recursion ? RECURSION_DESIRED : 0) | (checkingDisabled ? CHECKING_DISABLED : 0);
  const header = words(id, flags, 1, 0, 0, edns ? 1 : 0);
  return Buffer.concat([
    header,
    wireNameBytes(name),
    words(typeNumber(type), CLASS_IN),
    ...(edns ? [OPT] : []),
  ]);
}

function typeNumber(type: LookupType): number {
  for (const [number, known] of RECORD_TYPES) if (known.type === type) return number;
  throw new TypeError(`${type} is not a type of RECORD_TYPES`);
}

/** Returns 16-bit numbers in network byte order. */
function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, 2 * index);
  return bytes;
}

/**
 * Reads an answer to this question as hostile input.
 * @returns null if the message is malformed or answers another question. Reads no records of a truncated answer.
 */
export function readAnswer(bytes: Buffer, question: Question, id: number): DnsMessage | null {
  try {
    return read(bytes, question, id);
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
}

const HEADER_BYTES = 12;
const NOERROR = 0;
const NXDOMAIN = 3;
const CLASS_IN = 1;
const TYPE_OPT = 41;
const RECURSION_DESIRED = 0x0100;
const CHECKING_DISABLED = 0x0010;
/** The OPT record of a question: the root, the type, the size, no extended RCODE, version 0, no flags, no options. */
const OPT = Buffer.concat([Buffer.alloc(1), words(TYPE_OPT, UDP_BYTES_MAX, 0, 0, 0)]);
const OPTION_EDE = 15;
const EDE_MAX = 8;
/** Maximum number of records to accept. A question and its chain need only a few, and a survey contains many answers. */
const RECORDS_MAX = 200;
/** RFC 2181 section 8: a TTL with the first bit set counts as 0. */
const TTL_MAX = 0x7fff_ffff;

function read(bytes: Buffer, question: Question, id: number): DnsMessage | null {
  if (bytes.length < HEADER_BYTES || bytes.readUInt16BE(0) !== id) return null;
  const flags = bytes.readUInt16BE(2);
  if ((flags & 0x8000) === 0 || (flags & 0x7800) !== 0) return null;
  const start = endOfQuestion(bytes, question, flags & 0x000f);
  if (start === null) return null;
  const truncated = (flags & 0x0200) !== 0;
  const sections = truncated ? NO_SECTIONS : readSections(bytes, start);
  return {
    rcode: (sections.rcodeHigh << 4) | (flags & 0x000f),
    authoritative: (flags & 0x0400) !== 0,
    truncated,
    recursionAvailable: (flags & 0x0080) !== 0,
    hasEdns: sections.hasEdns,
    answers: sections.records[0],
    authorities: sections.records[1],
    additionals: sections.records[2],
    ede: [...sections.ede],
  };
}

/**
 * Returns where the question ends. A server that refuses or cannot parse a question may omit it in its answer. Such an answer proves
 * nothing, so forging one achieves nothing.
 * @returns null if the message answers another question.
 */
function endOfQuestion(bytes: Buffer, question: Question, rcode: number): number | null {
  const questions = bytes.readUInt16BE(4);
  if (questions === 0 && rcode !== NOERROR && rcode !== NXDOMAIN) return HEADER_BYTES;
  if (questions !== 1) return null;
  const asked = readWireName(bytes, HEADER_BYTES);
  need(bytes, asked.end, 4);
  const type = RECORD_TYPES.get(bytes.readUInt16BE(asked.end))?.type;
  // Names are case-insensitive, and some servers return them in another case (RFC 4343).
  if (asked.name !== question.name.toLowerCase() || type !== question.type) return null;
  return bytes.readUInt16BE(asked.end + 2) === CLASS_IN ? asked.end + 4 : null;
}

interface Sections {
  records: readonly [SeenRecord[], SeenRecord[], SeenRecord[]];
  hasEdns: boolean;
  rcodeHigh: number;
  ede: Set<number>;
}

const NO_SECTIONS: Sections = { records: [[], [], []], hasEdns: false, rcodeHigh: 0, ede: new Set() };

function readSections(bytes: Buffer, start: number): Sections {
  const sections: Sections = { records: [[], [], []], hasEdns: false, rcodeHigh: 0, ede: new Set() };
  const counts = [bytes.readUInt16BE(6), bytes.readUInt16BE(8), bytes.readUInt16BE(10)];
  if (counts.reduce((sum, count) => sum + count) > RECORDS_MAX) throw new Malformed('too many records');
  let at = start;
  for (const [index, section] of sections.records.entries()) {
    for (let left = counts[index] ?? 0; left > 0; left -= 1) at = readRecord(bytes, at, section, sections);
  }
  return sections;
}

/** Reads one record. @returns where the next record begins. */
function readRecord(bytes: Buffer, at: number, section: SeenRecord[], sections: Sections): number {
  const { name, end: head } = readWireName(bytes, at);
  need(bytes, head, 10);
  const number = bytes.readUInt16BE(head);
  const ttl = bytes.readUInt32BE(head + 4);
  const start = head + 10;
  const end = start + bytes.readUInt16BE(head + 8);
  need(bytes, start, end - start);
  if (number === TYPE_OPT) {
    if (name !== '.' || section !== sections.records[2] || sections.hasEdns)
      throw new Malformed('a stray OPT');
    sections.hasEdns = true;
    sections.rcodeHigh = ttl >>> 24;
    readOptions(bytes, start, end, sections.ede);
    return end;
  }
  const known = RECORD_TYPES.get(number);
  if (known === undefined || bytes.readUInt16BE(head + 2) !== CLASS_IN) return end;
  const value = known.read({ bytes, start, end });
  section.push({ name, type: known.type, value, ttl_s: ttl > TTL_MAX ? 0 : ttl });
  return end;
}

function readOptions(bytes: Buffer, start: number, end: number, ede: Set<number>): void {
  for (let at = start; at < end; ) {
    if (end - at < 4) throw new Malformed('a short option');
    const length = bytes.readUInt16BE(at + 2);
    if (at + 4 + length > end) throw new Malformed('an option that runs out of its record');
    if (bytes.readUInt16BE(at) === OPTION_EDE && length >= 2 && ede.size < EDE_MAX) {
      ede.add(bytes.readUInt16BE(at + 4));
    }
    at += 4 + length;
  }
}

function need(bytes: Buffer, at: number, count: number): void {
  if (at + count > bytes.length) throw new Malformed('a record that runs out of the message');
}
