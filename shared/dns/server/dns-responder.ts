import { hash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Clock } from '../../ports/system.ts';
import { CLASS_IN, encodeOpt, FLAGS, TYPE_OPT, UDP_BYTES_MAX, writeWords } from '../wire/message-format.ts';
import { HEADER_BYTES } from '../wire/wire-name.ts';
import { type DnsQuery, FORMERR, NOTIMP, type QueryFault, readDnsQuery, TYPE_IXFR } from './dns-query.ts';
import { writeRecords } from './packed-records.ts';
import { findAnswer, REFUSED, type ServedZones, type ZoneAnswer } from './zone.ts';

export type DnsTransport = 'udp' | 'tcp';

/** Returns the response to a message. @returns null for a message that gets no response. */
export type DnsResponder = (message: Buffer, transport: DnsTransport, clientAddress: string) => Buffer | null;

export interface DnsResponderOptions {
  zones: ServedZones;
  cookies: ServerCookies;
  /** The time of day, for the age of cookies. */
  wallClock: Clock;
}

/**
 * Maximum number of response bytes per query byte over UDP, if the query has no valid cookie. The source address may be forged, so larger
 * responses would allow an amplification attack.
 */
export const AMPLIFICATION_MAX = 3;

/** Creates the function that returns the response to a query. The function has no state. */
export function createDnsResponder({ zones, cookies, wallClock }: DnsResponderOptions): DnsResponder {
  function edns(query: DnsQuery, address: string): { opt: Buffer | null; isKnown: boolean } {
    if (query.edns === null) return { opt: null, isKnown: false };
    const { cookie, dnssecOk, version } = query.edns;
    const rcodeHigh = version === 0 ? 0 : BADVERS_HIGH;
    if (cookie === null) return { opt: encodeOpt(rcodeHigh, dnssecOk, null), isKnown: false };
    const nowS = Math.floor(wallClock.now() / 1000);
    const isKnown = cookies.isValid(cookie, address, nowS);
    return { opt: encodeOpt(rcodeHigh, dnssecOk, cookies.create(cookie, address, nowS)), isKnown };
  }

  return (message, transport, clientAddress) => {
    const query = readDnsQuery(message);
    if (query === null) return null;
    if ('fault' in query) return faultResponse(query);
    const { opt, isKnown } = edns(query, clientAddress);
    const bytesMax = transport === 'tcp' ? TCP_BYTES_MAX : udpBytesMax(query, message.length, isKnown);
    const write = { query, message, opt, bytesMax };
    if (query.edns !== null && query.edns.version !== 0) return writeResponse(write, NOTHING, 0);
    if (query.key === '') return writeResponse(write, NOTHING, 0);
    const refusal = refusalOf(query);
    if (refusal !== null) return writeResponse(write, refusal, 0);
    const { answer, zoneStart } = findAnswer(zones, query.key, query.type);
    return writeResponse(write, answer, zoneStart);
  };
}

const TCP_BYTES_MAX = 65_535;
/** Largest UDP message without EDNS (RFC 1035 section 4.2.1). */
const PLAIN_UDP_BYTES = 512;
/** The upper bits of the response code BADVERS (16), which are in the OPT record. */
const BADVERS_HIGH = 1;
/** Types of questions for something other than records (RFC 6895 section 3.1). */
const META_TYPES = { first: 128, last: 254, axfr: 252 };

const empty = { answers: null, authorities: null, additionals: [] };
const NOTHING: ZoneAnswer = { rcode: 0, authoritative: false, ...empty };

function udpBytesMax({ edns }: DnsQuery, queryBytes: number, isKnown: boolean): number {
  const accepted =
    edns === null ? PLAIN_UDP_BYTES : Math.min(UDP_BYTES_MAX, Math.max(PLAIN_UDP_BYTES, edns.udpBytesMax));
  return isKnown ? accepted : Math.min(accepted, AMPLIFICATION_MAX * queryBytes);
}

/**
 * Returns the error for a question that this server never answers, such as a zone transfer or a class other than IN. Null for other
 * questions.
 */
function refusalOf({ type, class: ofClass }: DnsQuery): ResponseContent | null {
  if (type === TYPE_OPT) return { ...NOTHING, rcode: FORMERR };
  if (ofClass !== CLASS_IN) return REFUSED;
  if (type < META_TYPES.first || type > META_TYPES.last) return null;
  return type === META_TYPES.axfr || type === TYPE_IXFR ? REFUSED : { ...NOTHING, rcode: NOTIMP };
}

type ResponseContent = Omit<ZoneAnswer, 'rcode'> & {
  rcode: ZoneAnswer['rcode'] | typeof FORMERR | typeof NOTIMP;
};

interface Written {
  query: DnsQuery;
  message: Buffer;
  opt: Buffer | null;
  bytesMax: number;
}

/**
 * Writes a response. If the answers or authorities do not fit, leaves them out and sets the flag TC, so that the client repeats the
 * question over TCP.
 */
function writeResponse(
  { query, message, opt, bytesMax }: Written,
  answer: ResponseContent,
  zoneStart: number,
): Buffer {
  const { answers, authorities, additionals } = answer;
  const bare = query.questionEnd + (opt?.length ?? 0);
  const needed = bare + (answers?.bytes.length ?? 0) + (authorities?.bytes.length ?? 0);
  const isTruncated = needed > bytesMax;
  let left = isTruncated ? 0 : bytesMax - needed;
  let length = isTruncated ? bare : needed;
  let used = 0;
  for (const records of isTruncated ? [] : additionals) {
    if (records.bytes.length > left) break;
    left -= records.bytes.length;
    length += records.bytes.length;
    used += 1;
  }
  const response = Buffer.allocUnsafe(length);
  const zoneAt = HEADER_BYTES + zoneStart;
  message.copy(response, HEADER_BYTES, HEADER_BYTES, query.questionEnd);
  let at = query.questionEnd;
  const counts = [0, 0, opt === null ? 0 : 1];
  if (!isTruncated) {
    if (answers !== null) at = writeRecords(response, at, answers, zoneAt);
    if (authorities !== null) at = writeRecords(response, at, authorities, zoneAt);
    counts[0] = answers?.count ?? 0;
    counts[1] = authorities?.count ?? 0;
    for (const records of additionals.slice(0, used)) {
      at = writeRecords(response, at, records, zoneAt);
      counts[2] = (counts[2] ?? 0) + records.count;
    }
  }
  opt?.copy(response, at);
  const flags =
    (answer.authoritative ? FLAGS.authoritative : 0) | (isTruncated ? FLAGS.truncated : 0) | answer.rcode;
  writeHeader(response, query, 0, flags, [query.key === '' ? 0 : 1, ...counts]);
  return response;
}

/** Returns an error response without the question, because the question could not be parsed. */
function faultResponse(query: QueryFault): Buffer {
  const response = Buffer.alloc(HEADER_BYTES);
  writeHeader(response, query, query.opcode, query.fault, [0, 0, 0, 0]);
  return response;
}

function writeHeader(
  response: Buffer,
  { id, recursionDesired }: Pick<DnsQuery, 'id' | 'recursionDesired'>,
  opcode: number,
  flags: number,
  counts: readonly number[],
): void {
  const all = FLAGS.response | (opcode << 11) | (recursionDesired ? FLAGS.recursionDesired : 0) | flags;
  writeWords(response, 0, [id, all, ...counts]);
}

/** Creates and verifies the cookies of a server (RFC 7873). */
export interface ServerCookies {
  /** Returns whether a cookie is valid: this server, or another with the same secret, sent it to the client's address. */
  isValid(cookie: Buffer, address: string, nowS: number): boolean;
  /** Returns the cookie for the response: 8 bytes of the client, then 16 bytes of the server. */
  create(cookie: Buffer, address: string, nowS: number): Buffer;
}

const CLIENT_BYTES = 8;
const SERVER_BYTES = 16;
/**
 * Offset of the hash in a cookie, after the client's bytes and the time of creation (4 bytes). The hash covers these fields and the
 * client's address.
 */
const HASH_AT = CLIENT_BYTES + 4;
/** The maximum age of a cookie, and how far in the future its time may be (RFC 9018 section 4.3). */
const AGE_S_MAX = 3600;
const AHEAD_S_MAX = 300;

/** @param secret 16 bytes, the same on servers that share an address. */
export function createServerCookies(secret: Buffer): ServerCookies {
  /** Returns the keyed hash of a cookie. With SHA-3, a prefix with the secret is as safe as HMAC (`decisions/0035`). */
  function hashOf(cookie: Buffer, address: string): Buffer {
    const bytes = Buffer.from(ipaddr.process(address).toByteArray());
    const signed = Buffer.concat([secret, cookie.subarray(0, HASH_AT), bytes]);
    return hash('sha3-256', signed, 'buffer').subarray(0, CLIENT_BYTES + SERVER_BYTES - HASH_AT);
  }
  return {
    isValid(cookie, address, nowS) {
      if (cookie.length !== CLIENT_BYTES + SERVER_BYTES) return false;
      // Computes the difference of two 32-bit times with serial number arithmetic (RFC 1982).
      const ageS = (nowS - cookie.readUInt32BE(CLIENT_BYTES)) | 0;
      if (ageS > AGE_S_MAX || ageS < -AHEAD_S_MAX) return false;
      return hashOf(cookie, address).equals(cookie.subarray(HASH_AT));
    },
    create(cookie, address, nowS) {
      const made = Buffer.alloc(CLIENT_BYTES + SERVER_BYTES);
      cookie.copy(made, 0, 0, CLIENT_BYTES);
      made.writeUInt32BE(nowS >>> 0, CLIENT_BYTES);
      hashOf(made, address).copy(made, HASH_AT);
      return made;
    },
  };
}
