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
export const HEADER_BYTES = 12;
export const OPTION_COOKIE = 10;

/**
 * Reads a message as hostile input.
 * @returns null for a message that gets no response: a response, which could start a loop between two servers, or one without a header.
 */
export function readDnsQuery(bytes: Buffer): DnsQuery | QueryFault | null {
  if (bytes.length < HEADER_BYTES) return null;
  const flags = word(bytes, 2);
  if ((flags & 0x8000) !== 0) return null;
  const id = word(bytes, 0);
  const recursionDesired = (flags & 0x0100) !== 0;
  const opcode = (flags >> 11) & 0x0f;
  if (opcode !== 0) return { id, recursionDesired, opcode, fault: NOTIMP };
  const fault: QueryFault = { id, recursionDesired, opcode, fault: FORMERR };
  const questions = word(bytes, 4);
  // A query has no answers and no authorities. IXFR has some, but is for transfers only (RFC 1995).
  if (questions > 1 || word(bytes, 6) !== 0) return fault;
  const nameEnd = questions === 0 ? HEADER_BYTES : endOfName(bytes);
  const questionEnd = questions === 0 ? HEADER_BYTES : nameEnd + 4;
  if (nameEnd < 0 || questionEnd > bytes.length) return fault;
  const type = questions === 0 ? 0 : word(bytes, nameEnd);
  const authorities = word(bytes, 8);
  if (authorities !== 0 && type !== TYPE_IXFR) return fault;
  const additionals = word(bytes, 10);
  let edns: QueryEdns | null = null;
  if (authorities + additionals > 0) {
    const read = readEdns(bytes, questionEnd, authorities, additionals);
    if (read === MALFORMED) return fault;
    edns = read;
  } else if (questionEnd !== bytes.length) return fault;
  if (questions === 0 && !edns?.cookie) return fault;
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

export const CLASS_IN = 1;
export const TYPE_OPT = 41;
export const TYPE_IXFR = 251;
const NAME_BYTES_MAX = 255;
/** Maximum number of additional records. A query has an OPT, possibly a signature, and little else. */
const RECORDS_MAX = 8;
const MALFORMED = Symbol('malformed');

/** Returns where the name of the question ends, or -1. The name cannot contain a pointer, because there is no name before it. */
function endOfName(bytes: Buffer): number {
  for (let at = HEADER_BYTES; at < bytes.length; ) {
    const length = bytes[at] ?? 0;
    if (length === 0) return at + 1 - HEADER_BYTES > NAME_BYTES_MAX ? -1 : at + 1;
    if (length > 63) return -1;
    at += length + 1;
  }
  return -1;
}

/** Reads the records after the question, which must end with the message. */
function readEdns(
  bytes: Buffer,
  start: number,
  authorities: number,
  additionals: number,
): QueryEdns | null | typeof MALFORMED {
  if (authorities + additionals > RECORDS_MAX) return MALFORMED;
  let edns: QueryEdns | null = null;
  let at = start;
  for (let index = 0; index < authorities + additionals; index++) {
    const head = afterName(bytes, at);
    if (head < 0 || head + 10 > bytes.length) return MALFORMED;
    const end = head + 10 + word(bytes, head + 8);
    if (end > bytes.length) return MALFORMED;
    if (word(bytes, head) === TYPE_OPT) {
      // There is at most one OPT, and its owner is the root (RFC 6891 section 6.1.1).
      if (index < authorities || edns !== null || bytes[at] !== 0) return MALFORMED;
      const cookie = readCookie(bytes, head + 10, end);
      if (cookie === MALFORMED) return MALFORMED;
      edns = {
        udpBytesMax: word(bytes, head + 2),
        version: bytes[head + 5] ?? 0,
        dnssecOk: ((bytes[head + 6] ?? 0) & 0x80) !== 0,
        cookie,
      };
    }
    at = end;
  }
  return at === bytes.length ? edns : MALFORMED;
}

/** Returns the position after a name that may end in a pointer, or -1. */
function afterName(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length && at - start <= NAME_BYTES_MAX; ) {
    const length = bytes[at] ?? 0;
    if (length === 0) return at + 1;
    if (length >= 192) return at + 2;
    if (length > 63) return -1;
    at += length + 1;
  }
  return -1;
}

/** Finds the COOKIE option. Other options are ignored (RFC 6891 section 6.1.2). */
function readCookie(bytes: Buffer, start: number, end: number): Buffer | null | typeof MALFORMED {
  let cookie: Buffer | null = null;
  for (let at = start; at < end; ) {
    if (at + 4 > end) return MALFORMED;
    const length = word(bytes, at + 2);
    const next = at + 4 + length;
    if (next > end) return MALFORMED;
    if (word(bytes, at) === OPTION_COOKIE && cookie === null) {
      // RFC 7873 section 5.2.2: other lengths are a format error.
      if (length !== 8 && (length < 16 || length > 40)) return MALFORMED;
      cookie = bytes.subarray(at + 4, next);
    }
    at = next;
  }
  return cookie;
}

/** Reads 16 bits. Faster than `readUInt16BE`; the caller has checked the length. */
function word(bytes: Buffer, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}
