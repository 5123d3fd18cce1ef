import type { LookupType, SeenRecord } from '../../core/dns/dns-survey.ts';
import {
  CLASS_IN,
  encodeOpt,
  FLAGS,
  readOptions,
  readRecords,
  type WireRecord,
  word,
  writeWords,
} from './message-format.ts';
import { RECORD_TYPES, typeNumber } from './record-data.ts';
import { HEADER_BYTES, Malformed, readWireName, wireNameBytes } from './wire-name.ts';

/** A question to a server. */
export interface Question {
  /** A name that passes `isAskable`. */
  name: string;
  type: LookupType;
  /** The RD flag: set for a resolver, but not for an authoritative server. */
  recursion: boolean;
  /** The CD flag, which requests an answer without DNSSEC validation (RFC 4035 section 3.2.2). */
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

/** Encodes a question as a message (RFC 1035 section 4.1). @param id 16 bits. @param edns adds an OPT record (RFC 6891 section 6.1.2). */
export function encodeQuestion(question: Question, id: number, edns: boolean): Buffer {
  const { name, type, recursion, checkingDisabled } = question;
  const flags = (recursion ? FLAGS.recursionDesired : 0) | (checkingDisabled ? FLAGS.checkingDisabled : 0);
  const [header, asked] = [Buffer.alloc(HEADER_BYTES), Buffer.alloc(4)];
  writeWords(header, 0, [id, flags, 1, 0, 0, edns ? 1 : 0]);
  writeWords(asked, 0, [typeNumber(type), CLASS_IN]);
  return Buffer.concat([header, wireNameBytes(name), asked, ...(edns ? [encodeOpt(0, false, null)] : [])]);
}

/**
 * Parses the answer to a question. The message may be hostile.
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

const NOERROR = 0;
const NXDOMAIN = 3;
const OPTION_EDE = 15;
const EDE_MAX = 8;
/** Maximum number of records to accept in one answer. A question and its CNAME chain need only a few, and a survey stores many answers. */
const RECORDS_MAX = 200;
/** A TTL with the first bit set means 0 (RFC 2181 section 8). */
const TTL_MAX = 0x7fff_ffff;

function read(bytes: Buffer, question: Question, id: number): DnsMessage | null {
  if (bytes.length < HEADER_BYTES || word(bytes, 0) !== id) return null;
  const flags = word(bytes, 2);
  const rcode = flags & 0x000f;
  if ((flags & FLAGS.response) === 0 || (flags & 0x7800) !== 0) return null;
  const start = endOfQuestion(bytes, question, rcode);
  if (start === null) return null;
  const truncated = (flags & FLAGS.truncated) !== 0;
  const sections: [SeenRecord[], SeenRecord[], SeenRecord[]] = [[], [], []];
  const { opt } = truncated
    ? { opt: null }
    : readRecords(bytes, start, RECORDS_MAX, (record, section) => {
        const seen = seenRecord(bytes, record);
        if (seen !== null) sections[section].push(seen);
      });
  return {
    rcode: (((opt?.ttl ?? 0) >>> 24) << 4) | rcode,
    authoritative: (flags & FLAGS.authoritative) !== 0,
    truncated,
    recursionAvailable: (flags & FLAGS.recursionAvailable) !== 0,
    hasEdns: opt !== null,
    answers: sections[0],
    authorities: sections[1],
    additionals: sections[2],
    ede: opt === null ? [] : extendedErrors(bytes, opt),
  };
}

/**
 * Returns the offset after the question. A server that refuses or cannot parse a question may leave it out of the answer. Such an answer
 * proves nothing, so it is no use to an attacker.
 * @returns null if the message answers another question.
 */
function endOfQuestion(bytes: Buffer, question: Question, rcode: number): number | null {
  const questions = word(bytes, 4);
  if (questions === 0 && rcode !== NOERROR && rcode !== NXDOMAIN) return HEADER_BYTES;
  if (questions !== 1) return null;
  const { name, end } = readWireName(bytes, HEADER_BYTES);
  if (end + 4 > bytes.length) throw new Malformed('a question that runs out of the message');
  // Compares names in lowercase, because some servers return them in a different case (RFC 4343).
  if (name !== question.name.toLowerCase() || word(bytes, end) !== typeNumber(question.type)) return null;
  return word(bytes, end + 2) === CLASS_IN ? end + 4 : null;
}

/** Returns a record, decoded. @returns null for a class other than IN and for unknown types. */
function seenRecord(bytes: Buffer, record: WireRecord): SeenRecord | null {
  const known = RECORD_TYPES.get(record.type);
  if (known === undefined || record.class !== CLASS_IN) return null;
  const value = known.read({ bytes, start: record.start, end: record.end });
  const ttlS = record.ttl > TTL_MAX ? 0 : record.ttl;
  return { name: readWireName(bytes, record.at).name, type: known.type, value, ttl_s: ttlS };
}

function extendedErrors(bytes: Buffer, opt: WireRecord): number[] {
  const codes = new Set<number>();
  readOptions(bytes, opt, (code, value) => {
    if (code === OPTION_EDE && value.length >= 2 && codes.size < EDE_MAX) codes.add(word(value, 0));
  });
  return [...codes];
}
