import packet from 'dns-packet';
import { expect } from 'vitest';
import { AMPLIFICATION_MAX } from '../../../shared/dns/server/dns-responder.ts';
import { diceOf } from '../../hostile/dice.ts';
import { CLIENT, queryOf, responderOf, shown } from './served-zones.ts';

/** Counts of the responses to mutated queries. */
export interface MutationTally {
  /** Number of responses by status. */
  statuses: Map<string, number>;
  unanswered: number;
}

const NAMES = [
  'k7m2q9.edge.example.net',
  'K7m2Q9.eDGe.example.NET',
  'a.b.edge.example.net',
  'edge.example.net',
  'dns.edge.example.net',
  'ns2.dns.edge.example.net',
  'x.ns2.dns.edge.example.net',
  'dom_1.sandbox.edge.example.net',
  'www.example.org',
];
const TYPES = ['A', 'AAAA', 'NS', 'SOA', 'TXT', 'CAA', 'ANY', 'DS', 'AXFR'];

/**
 * Sends mutated queries to the zones of `served-zones.ts`. Checks each response against a second decoder and a second model of the zones.
 * @throws if a response is larger than allowed, malformed, or wrong.
 */
export function tryMutatedQueries(count: number, seed: number): MutationTally {
  const respond = responderOf();
  const { below } = diceOf(seed, 1);
  const tally: MutationTally = { statuses: new Map(), unanswered: 0 };
  for (const query of mutatedQueries(count, seed)) {
    const before = Buffer.from(query);
    const response = respond(query, below(2) === 0 ? 'udp' : 'tcp', CLIENT);
    const about = `query ${before.toString('hex')}`;
    expect(query.equals(before), about).toBe(true);
    if (response === null) {
      tally.unanswered++;
      continue;
    }
    if (response.length > AMPLIFICATION_MAX * query.length) {
      // Only a response over TCP may be much larger than the query, because a TCP client has proven its address.
      const overUdp = respond(query, 'udp', CLIENT);
      expect(overUdp?.length, about).toBeLessThanOrEqual(AMPLIFICATION_MAX * query.length);
    }
    const status = checkedStatus(query, response, about);
    tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
  }
  return tally;
}

/** Yields queries with a few mistakes. The same seed gives the same queries. */
export function* mutatedQueries(count: number, seed: number): Generator<Buffer> {
  const { below } = diceOf(seed, 0);
  const originals = NAMES.flatMap((name) =>
    TYPES.flatMap((type) => [queryOf(name, type), queryOf(name, type, 1232)]),
  );
  const pick = () => originals[below(originals.length)] ?? Buffer.alloc(12);
  for (let left = count; left > 0; left--) yield mutated(pick(), pick(), below);
}

/** Checks a response. @returns the status of the response. */
function checkedStatus(query: Buffer, response: Buffer, about: string): string {
  expect(response.readUInt16BE(0), about).toBe(query.readUInt16BE(0));
  const { status, answers, authorities } = shown(response);
  const { questions = [], answers: decoded = [], flag_ra } = packet.decode(response);
  expect(flag_ra, about).toBe(false);
  const [question] = questions;
  const [rcode, ...flags] = status.split(' ');
  if (question === undefined || flags.includes('tc') || flags.length === 0) {
    expect([...answers, ...authorities], about).toEqual([]);
    if (question === undefined || rcode !== 'REFUSED') return status;
  }
  const { name, end } = nameOf(query);
  expect(response.subarray(12, end + 4).equals(query.subarray(12, end + 4)), about).toBe(true);
  if (rcode === 'REFUSED') {
    const isOurs = question.class === 'IN' && /(^|\.)edge\.example\.net$/.test(name);
    expect(isOurs && !['AXFR', 'IXFR'].includes(question.type), about).toBe(false);
    return status;
  }
  if (flags.includes('tc')) return status;
  const shownName = decoded[0]?.name ?? '';
  expect([rcode, ...answers.map((row) => row.slice(shownName.length + 1).toLowerCase())], about).toEqual(
    modelOf(name, question.type).map((row, index) => (index === 0 ? row : row.toLowerCase())),
  );
  expect(authorities.length, about).toBe(answers.length === 0 ? 1 : 0);
  return status;
}

/** Reads the question's name, without using the code under test. Replaces dots within labels. */
function nameOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    const label = query.toString('latin1', at + 1, at + 1 + length);
    labels.push(label.replace(/[^\x21-\x2d\x2f-\x7e]/g, '?').toLowerCase());
    at += length + 1;
  }
  return { name: labels.join('.'), end: at + 1 };
}

/** Returns the right response code and records for a name, from a model that shares no code with the server. */
function modelOf(name: string, type: string): string[] {
  const inSandbox = name === 'sandbox.edge.example.net' || name.endsWith('.sandbox.edge.example.net');
  const rows = (owned: Record<string, string[]>, any: string) =>
    type === 'ANY' ? (owned[any] ?? []) : (owned[type] ?? []);
  const soa = '3600 SOA ns1.example.net hostmaster.example.net 7 60';
  if (inSandbox && name !== 'sandbox.edge.example.net')
    return ['NOERROR', ...rows({ A: ['300 A 192.0.2.20'] }, 'A')];
  if (inSandbox) return ['NOERROR', ...rows({ SOA: [soa], NS: ['3600 NS ns1.example.net'] }, 'SOA')];
  if (name === 'edge.example.net') {
    const NS = ['3600 NS ns1.example.net', '3600 NS ns2.dns.edge.example.net'];
    return ['NOERROR', ...rows({ SOA: [soa], NS, CAA: ['300 CAA 0 issue letsencrypt.org'] }, 'SOA')];
  }
  if (name === 'dns.edge.example.net') return ['NOERROR'];
  if (name === 'ns2.dns.edge.example.net')
    return ['NOERROR', ...rows({ A: ['300 A 192.0.2.53'], AAAA: ['300 AAAA 2001:db8::53'] }, 'A')];
  if (name.endsWith('.dns.edge.example.net')) return ['NXDOMAIN'];
  const owned = { A: ['300 A 192.0.2.10', '300 A 192.0.2.11'], AAAA: ['300 AAAA 2001:db8::10'] };
  return ['NOERROR', ...rows(owned, 'A')];
}

/** Makes one to three changes to a query: of bits, bytes, counts or pointers, by cuts, or by pieces of another query. */
function mutated(original: Buffer, donor: Buffer, random: (below: number) => number): Buffer {
  let bytes: Buffer = Buffer.from(original);
  for (let left = 1 + random(3); left > 0; left--) {
    const at = random(bytes.length);
    const change = random(14);
    if (change === 0) bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random(8)), at);
    else if (change === 1) bytes.writeUInt8(random(256), at);
    else if (change === 2 && bytes.length >= 12) bytes.writeUInt8(random(3), 5 + 2 * random(4));
    else if (change === 3 && at + 2 <= bytes.length) bytes.writeUInt16BE(0xc000 | random(bytes.length), at);
    else if (change === 4) bytes = bytes.subarray(0, at + 1);
    else if (change === 5)
      bytes = Buffer.concat([bytes.subarray(0, at), donor.subarray(random(donor.length))]);
    else if (change === 6) donor.copy(bytes, at, random(donor.length));
    // Changes the case of a letter, which gives the same DNS name.
    else if (at >= 12) bytes.writeUInt8(bytes.readUInt8(at) ^ 0x20, at);
  }
  return bytes;
}
