import type { Lookup, LookupFailure, LookupType, SeenRecord } from '../../core/dns/dns-survey.ts';
import type { Reply } from './dns-client.ts';
import type { DnsMessage } from './dns-message.ts';
import { isWithin } from './wire-name.ts';

/** Returns whether to stop following a CNAME chain at this name. */
export type Stops = (name: string) => boolean;

/** Never stops, so that every chain is followed to its end. */
export const NOWHERE: Stops = () => false;

/** The result of a reply for the requested name, and the name at which its CNAME chain continues at other servers. */
export interface Reading {
  lookup: Lookup;
  /** The name to look up at other servers next. Null if the lookup is complete. */
  next: string | null;
}

/** Maximum length of a CNAME chain. A longer chain is treated as a loop. */
export const CHAIN_MAX = 16;

const FAILURES: Readonly<Record<number, LookupFailure>> = {
  2: 'servfail',
  4: 'refused',
  5: 'refused',
  9: 'refused',
};
const NOERROR = 0;
const NXDOMAIN = 3;

/** Returns the lookup of a resolver's reply. The resolver has followed the CNAME chain to its end. */
export function readResolved(reply: Reply): Lookup {
  const { answer } = reply;
  if (typeof answer === 'string') return failed(reply, answer);
  if (isBlocked(reply.name, answer)) return failed(reply, 'blocked', answer);
  // A server without recursion does not answer the question, but only refers to another server.
  if (!answer.recursionAvailable) return failed(reply, FAILURES[answer.rcode] ?? 'refused', answer);
  return read(reply, answer, '.', NOWHERE).lookup;
}

/** The INFO-CODEs of resolvers that block a name for their users: Blocked, Censored, Filtered (RFC 8914 section 4). */
export const BLOCK_CODES: readonly number[] = [15, 16, 17];

/**
 * Returns whether a resolver blocks the name: its answer has one of `BLOCK_CODES`, or is NXDOMAIN without the SOA record of the zone (RFC
 * 2308 section 2.1), as from Quad9. Prohibited (18) is not one of them, because it refuses the client and does not block the name.
 */
function isBlocked(name: string, answer: DnsMessage): boolean {
  if (answer.ede.some((code) => BLOCK_CODES.includes(code))) return true;
  return answer.rcode === NXDOMAIN && answer.answers.length === 0 && negativeTtl(answer, name) === null;
}

/**
 * Reads the reply of a zone's own server. Uses only records of names in the zone, and only if the reply is authoritative.
 * @param stops returns whether to stop following a CNAME chain at a name.
 */
export function readAuthoritative(reply: Reply, zone: string, stops: Stops): Reading {
  const { answer } = reply;
  if (typeof answer === 'string') return { lookup: failed(reply, answer), next: null };
  const isSaid = answer.rcode === NOERROR || answer.rcode === NXDOMAIN;
  if (isSaid && !answer.authoritative) return { lookup: failed(reply, 'refused', answer), next: null };
  return read(reply, answer, zone, stops);
}

/** Returns the records at the name itself, of the requested type or CNAME, without following a CNAME chain. */
export function readBeside(reply: Reply, zone: string): Lookup {
  const { lookup } = readAuthoritative(reply, zone, NOWHERE);
  const { answer, name, type } = reply;
  if (typeof answer === 'string' || lookup.failure === 'refused' || lookup.failure === 'servfail')
    return lookup;
  const records = answer.answers.filter(
    (record) => record.name === name && (record.type === type || record.type === 'CNAME'),
  );
  if (records.length === 0) return lookup;
  return { ...lookup, outcome: 'answer', failure: null, records, negative_ttl_s: null };
}

/** Returns a failed lookup. */
export function failed(
  asked: Pick<Lookup, 'server' | 'name' | 'type' | 'response_ms'>,
  failure: LookupFailure,
  answer?: DnsMessage,
): Lookup {
  const { server, name, type, response_ms } = asked;
  const ede = answer?.ede ?? [];
  const told = { outcome: 'unknown', failure, ede, records: [], negative_ttl_s: null } as const;
  return { server, name, type, ...told, response_ms };
}

/**
 * Returns how long a negative answer may be cached, in seconds. Reads the time from the SOA record of the name's zone (RFC 2308 section 5).
 */
export function negativeTtl({ authorities }: DnsMessage, name: string): number | null {
  const soa = authorities.find((record) => record.type === 'SOA' && isWithin(name, record.name));
  return soa === undefined ? null : Math.min(soa.ttl_s, Number(soa.value.split(' ').at(-1)));
}

function read(reply: Reply, answer: DnsMessage, zone: string, stops: Stops): Reading {
  const { server, name, type, response_ms } = reply;
  const failure = FAILURES[answer.rcode];
  if (failure !== undefined) return { lookup: failed(reply, failure, answer), next: null };
  const isNo = answer.rcode === NXDOMAIN;
  if (!isNo && answer.rcode !== NOERROR) return { lookup: failed(reply, 'malformed', answer), next: null };
  const chain = followChain(answer.answers, name, type, zone, stops);
  const { records, end, fault, isFinal } = chain;
  const unknown = (why: LookupFailure): Reading => ({
    lookup: { ...failed(reply, why, answer), records },
    next: null,
  });
  if (fault !== null) return unknown(fault);
  const aboutEnd = { server, name, type, failure: null, ede: answer.ede, records, response_ms };
  const hasRecords = records.length > 0;
  if (isFinal) {
    if (isNo && !stops(end)) return unknown('malformed');
    return { lookup: { ...aboutEnd, outcome: 'answer', negative_ttl_s: null }, next: null };
  }
  const negativeTtlS = negativeTtl(answer, end);
  // The response code refers to the last name of the chain (RFC 2308 section 2.1), which may not be in a zone of this server.
  const isTold = isWithin(end, zone) && (isNo || end === name || zone === '.' || negativeTtlS !== null);
  if (isTold && isNo)
    return { lookup: { ...aboutEnd, outcome: 'nxdomain', negative_ttl_s: negativeTtlS }, next: null };
  if (!hasRecords)
    return { lookup: { ...aboutEnd, outcome: 'nodata', negative_ttl_s: negativeTtlS }, next: null };
  const lookup: Lookup = { ...aboutEnd, outcome: 'answer', negative_ttl_s: null };
  return { lookup, next: isTold ? null : end };
}

interface Chain {
  /** The CNAME records in order, then the records of the requested type. */
  records: SeenRecord[];
  /** The last name of the chain. */
  end: string;
  /** True if the chain is complete: it has records of the requested type, or has reached a name at which to stop. */
  isFinal: boolean;
  fault: LookupFailure | null;
}

/** Follows a CNAME chain within one answer. Ignores records of names that are not part of the chain. */
function followChain(
  answers: readonly SeenRecord[],
  name: string,
  type: LookupType,
  zone: string,
  stops: Stops,
): Chain {
  const records: SeenRecord[] = [];
  const names = new Set([name]);
  for (let end = name; ; ) {
    const stop = (isFinal: boolean, fault: LookupFailure | null = null) => ({
      records,
      end,
      isFinal,
      fault,
    });
    if (end !== name && stops(end)) return stop(true);
    const own = isWithin(end, zone) ? answers.filter((record) => record.name === end) : [];
    const cnames = own.filter((record) => record.type === 'CNAME');
    if (type === 'CNAME' || cnames.length === 0) {
      const found = own.filter((record) => record.type === type);
      records.push(...found);
      return stop(found.length > 0);
    }
    records.push(...cnames);
    const [target, ...others] = new Set(cnames.map(({ value }) => value));
    // A name must not have two CNAME records (RFC 2181 section 10.1).
    if (target === undefined || others.length > 0) return stop(false, 'malformed');
    if (names.has(target) || names.size > CHAIN_MAX) return stop(false, 'loop');
    names.add(target);
    end = target;
  }
}
