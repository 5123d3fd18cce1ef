import {
  CLASS_IN,
  FLAGS,
  OPTION_COOKIE,
  readOptions,
  readRecords,
  type WireRecord,
  word,
} from '../wire/message-format.ts';
import { endOfName, HEADER_BYTES, Malformed } from '../wire/wire-name.ts';

/** A question that this server can answer, as read from a message. */
export interface DnsQuery {
  id: number;
  /** The RD flag. A response has the same value. */
  recursionDesired: boolean;
  /**
   * The name in lowercase, as `nameKey` returns it. Empty if the message has no question and only requests a cookie (RFC 7873 section 5.4).
   */
  key: string;
  type: number;
  class: number;
  /**
   * The offset after the question, which starts at byte 12. A response repeats the question byte for byte, so that the letters keep their
   * case.
   */
  questionEnd: number;
  edns: QueryEdns | null;
}

/** The OPT record of a query (RFC 6891). */
export interface QueryEdns {
  /** The maximum size of a UDP response that the client accepts. */
  udpBytesMax: number;
  version: number;
  /** The DO flag (RFC 3225). A response has the same value. */
  dnssecOk: boolean;
  /** The COOKIE option: 8 bytes of the client, and possibly 8 to 32 bytes of a server. Null if there is none. */
  cookie: Buffer | null;
}

/** A message to which the response is an error. */
export interface QueryFault {
  id: number;
  recursionDesired: boolean;
  opcode: number;
  fault: typeof FORMERR | typeof NOTIMP;
}

export const FORMERR = 1;
export const NOTIMP = 4;
export const TYPE_IXFR = 251;

/**
 * Parses a message, which may be hostile.
 * @returns null for a message that gets no response: it lacks a complete header, or is itself a response, which could cause a loop.
 */
export function readDnsQuery(bytes: Buffer): DnsQuery | QueryFault | null {
  const flags = word(bytes, 2);
  if (bytes.length < HEADER_BYTES || (flags & FLAGS.response) !== 0) return null;
  const id = word(bytes, 0);
  const recursionDesired = (flags & FLAGS.recursionDesired) !== 0;
  const opcode = (flags >> 11) & 0x0f;
  if (opcode !== 0) return { id, recursionDesired, opcode, fault: NOTIMP };
  try {
    return readQuery(bytes, id, recursionDesired);
  } catch (error) {
    if (error instanceof Malformed) return { id, recursionDesired, opcode, fault: FORMERR };
    throw error;
  }
}

/** Maximum number of records in a query. A query has an OPT record, possibly a signature, and little else. */
const RECORDS_MAX = 8;

/** @throws Malformed */
function readQuery(bytes: Buffer, id: number, recursionDesired: boolean): DnsQuery {
  const questions = word(bytes, 4);
  const nameEnd = questions === 0 ? HEADER_BYTES : endOfName(bytes, HEADER_BYTES);
  const questionEnd = questions === 0 ? HEADER_BYTES : nameEnd + 4;
  const type = questions === 0 ? 0 : word(bytes, nameEnd);
  if (questions > 1 || questionEnd > bytes.length) throw new Malformed('not one question');
  // A query has no answers and no authorities. Only the query of an IXFR, a zone transfer, has an authority (RFC 1995).
  if (word(bytes, 6) !== 0 || (word(bytes, 8) !== 0 && type !== TYPE_IXFR))
    throw new Malformed('not a query');
  const { end, opt } = readRecords(bytes, questionEnd, RECORDS_MAX, () => undefined);
  if (end !== bytes.length) throw new Malformed('bytes after the last record');
  const edns = opt === null ? null : readEdns(bytes, opt);
  if (questions === 0 && !edns?.cookie) throw new Malformed('no question and no cookie');
  return {
    id,
    recursionDesired,
    key: questions === 0 ? '' : bytes.toString('latin1', HEADER_BYTES, nameEnd).toLowerCase(),
    type,
    class: questions === 0 ? CLASS_IN : word(bytes, nameEnd + 2),
    questionEnd,
    edns,
  };
}

/** Reads an OPT record with its COOKIE option. Other options are ignored (RFC 6891 section 6.1.2). */
function readEdns(bytes: Buffer, opt: WireRecord): QueryEdns {
  let cookie: Buffer | null = null;
  readOptions(bytes, opt, (code, value) => {
    if (code !== OPTION_COOKIE || cookie !== null) return;
    // A COOKIE option of another length is a format error (RFC 7873 section 5.2.2).
    if (value.length !== 8 && (value.length < 16 || value.length > 40)) throw new Malformed('a bad cookie');
    cookie = value;
  });
  return {
    udpBytesMax: opt.class,
    version: (opt.ttl >>> 16) & 0xff,
    dnssecOk: (opt.ttl & 0x8000) !== 0,
    cookie,
  };
}
