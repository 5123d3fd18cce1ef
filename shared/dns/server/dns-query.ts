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
  /** The RD flag, which a response repeats. */
  recursionDesired: boolean;
  /** The name in lowercase, as `nameKey` returns it. Empty if the message only asks for a cookie (RFC 7873 section 5.4). */
  key: string;
  type: number;
  class: number;
  /** The question is at `12..questionEnd` of the message. A response repeats it byte for byte, so the letters keep their case. */
  questionEnd: number;
  edns: QueryEdns | null;
}

/** The OPT record of a query (RFC 6891). */
export interface QueryEdns {
  /** The largest response over UDP that the client accepts. */
  udpBytesMax: number;
  version: number;
  /** The DO flag, which a response repeats (RFC 3225). */
  dnssecOk: boolean;
  /** The COOKIE option: 8 bytes of the client, and possibly 8 to 32 bytes of a server. Null if there is none. */
  cookie: Buffer | null;
}

/** A message that gets an error as its response. */
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
 * Reads a message as hostile input.
 * @returns null for a message that gets no response: a response, which could start a loop between two servers, or one without a header.
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

/** Maximum number of records. A query has an OPT, possibly a signature, and little else. */
const RECORDS_MAX = 8;

/** @throws Malformed */
function readQuery(bytes: Buffer, id: number, recursionDesired: boolean): DnsQuery {
  const questions = word(bytes, 4);
  const nameEnd = questions === 0 ? HEADER_BYTES : endOfName(bytes, HEADER_BYTES);
  const questionEnd = questions === 0 ? HEADER_BYTES : nameEnd + 4;
  const type = questions === 0 ? 0 : word(bytes, nameEnd);
  if (questions > 1 || questionEnd > bytes.length) throw new Malformed('not one question');
  // A query has no answers and no authorities. IXFR has some, but is for transfers only (RFC 1995).
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
    // RFC 7873 section 5.2.2: other lengths are a format error.
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
