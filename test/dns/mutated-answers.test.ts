import packet from 'dns-packet';
import { expect, test } from 'vitest';
import { viewOutcome } from '../../shared/core/dns/dns-confirmation.ts';
import type { DnsExpectation } from '../../shared/core/dns/dns-expectation.ts';
import type { Lookup, LookupType } from '../../shared/core/dns/dns-survey.ts';
import type { DnsMessage, Question } from '../../shared/dns/wire/dns-message.ts';
import { readAnswer } from '../../shared/dns/wire/dns-message.ts';
import { readAuthoritative, readResolved } from '../../shared/dns/wire/reading.ts';
import { seededRandom } from '../fixtures/seeded-random.ts';

const MUTATIONS = 10_000;
const ID = 0xbeef;
const HOST = 'careers.acme.test';
const TXT_NAME = `_service.${HOST}`;

/** These names differ so much from the answers below that mutating a few bytes cannot produce them. */
const EXPECTATION: DnsExpectation = {
  hostname: HOST,
  registrable: 'acme.test',
  is_apex: false,
  targets: ['k3x9q7.edge.nameplate.example'],
  host: null,
  edgeIpv4: ['203.0.113.250'],
  edgeIpv6: ['2001:db8:ffff::250'],
  txtName: TXT_NAME,
  txt_value: 'service-verify=5tq0v3m8r1',
  txtRequired: true,
  caaIssuers: [],
};

const NOT_OURS: Record<string, packet.Packet> = {
  'a CNAME elsewhere': {
    answers: [
      { type: 'CNAME', name: HOST, ttl: 60, data: 'shop.other.example' },
      { type: 'A', name: 'shop.other.example', ttl: 60, data: '198.51.100.7' },
    ],
  },
  'our target under a name that was not asked for': {
    answers: [
      { type: 'A', name: HOST, ttl: 60, data: '198.51.100.7' },
      { type: 'CNAME', name: 'jobs.other.example', ttl: 60, data: 'k3x9q7.edge.nameplate.example' },
      { type: 'A', name: 'jobs.other.example', ttl: 60, data: '203.0.113.250' },
    ],
    additionals: [{ type: 'TXT', name: 'jobs.other.example', ttl: 60, data: ['service-verify=5tq0v3m8r1'] }],
  },
  'a name that does not exist': {
    flags: 3,
    authorities: [
      {
        type: 'SOA',
        name: 'acme.test',
        ttl: 60,
        data: { mname: 'ns.acme.test', rname: 'h.acme.test', minimum: 60 },
      },
    ],
  },
  'a referral with glue': {
    authorities: [{ type: 'NS', name: 'acme.test', ttl: 60, data: 'ns1.acme.test' }],
    additionals: [{ type: 'A', name: 'ns1.acme.test', ttl: 60, data: '198.51.100.53' }],
  },
};

const OURS: packet.Packet = {
  answers: [
    { type: 'CNAME', name: HOST, ttl: 60, data: 'x.acme.test' },
    { type: 'CNAME', name: 'x.acme.test', ttl: 60, data: 'k3x9q7.edge.nameplate.example' },
  ],
};

test.each(Object.entries(NOT_OURS))(
  `10 000 mutated DNS answers with %s crash nothing and confirm no domain`,
  (_, answer) => {
    const random = seeded(0x6e616d65);
    const donors = [...Object.values(NOT_OURS)].map(bytesOf);
    let accepted = 0;
    for (let left = MUTATIONS; left > 0; left -= 1) {
      const bytes = mutated(bytesOf(answer), donors, random);
      const read = readAnswer(bytes, QUESTION, ID);
      if (read !== null) accepted += 1;
      expect(outcomesOf(read), bytes.toString('hex')).not.toContain('right');
    }
    // Fewer accepted answers would mean that most mutations failed at the header and tested nothing behind it.
    expect(accepted).toBeGreaterThan(MUTATIONS / 50);
  },
);

test('of 10 000 mutated DNS answers, the check accepts only answers with CNAME records from the hostname and to the target', () => {
  const random = seeded(0x706c6174);
  for (let left = MUTATIONS; left > 0; left -= 1) {
    const read = readAnswer(mutated(bytesOf(OURS), [bytesOf(OURS)], random), QUESTION, ID);
    if (!outcomesOf(read).includes('right')) continue;
    expect(read?.answers).toContainEqual(
      expect.objectContaining({ type: 'CNAME', value: 'k3x9q7.edge.nameplate.example' }),
    );
    expect(read?.answers).toContainEqual(expect.objectContaining({ type: 'CNAME', name: HOST }));
  }
});

test('10 000 random DNS messages with a valid header and question are read or refused', () => {
  const random = seeded(0x1035);
  const head = bytesOf({}).subarray(0, 12 + HOST.length + 2 + 4);
  for (let left = MUTATIONS; left > 0; left -= 1) {
    const bytes = Buffer.concat([head, Uint8Array.from({ length: random(120) }, () => random(256))]);
    for (const offset of [7, 9, 11]) bytes.writeUInt8(random(4), offset);
    expect(outcomesOf(readAnswer(bytes, QUESTION, ID))).not.toContain('right');
  }
});

const QUESTION: Question = { name: HOST, type: 'A', recursion: true, checkingDisabled: false };

function bytesOf(sections: packet.Packet): Buffer {
  const flags = packet.AUTHORITATIVE_ANSWER | packet.RECURSION_AVAILABLE | (sections.flags ?? 0);
  const questions = [{ name: HOST, type: 'A' as const }];
  return packet.encode(structuredClone({ ...sections, type: 'response', id: ID, flags, questions }));
}

/**
 * Makes one to four changes to an answer, but not to its id. A change replaces bits, bytes, counts, lengths or pointers, cuts the answer,
 * or inserts a piece of another answer.
 */
function mutated(valid: Buffer, donors: readonly Buffer[], random: (below: number) => number): Buffer {
  let bytes = Buffer.from(valid);
  for (let left = 1 + random(4); left > 0; left -= 1) {
    const at = 2 + random(bytes.length - 2);
    const donor = donors[random(donors.length)] ?? valid;
    const change = random(7);
    if (change === 0) bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << random(8)), at);
    else if (change === 1) bytes.writeUInt8(random(256), at);
    else if (change === 2) bytes.writeUInt8(random(6), 5 + 2 * random(4));
    else if (change === 3 && at + 2 <= bytes.length) bytes.writeUInt16BE(0xc000 | random(bytes.length), at);
    else if (change === 4 && at > 40) bytes = bytes.subarray(0, at);
    else if (change === 5 && at > 40)
      bytes = Buffer.concat([bytes.subarray(0, at), donor.subarray(random(donor.length))]);
    else donor.copy(bytes, at, random(donor.length));
  }
  return bytes;
}

/** Reads an answer twice: as from a resolver, and as from the zone's own server. Returns both outcomes. */
function outcomesOf(answer: DnsMessage | null): string[] {
  if (answer === null) return [];
  const reply = { server: 'x', name: HOST, type: 'A' as LookupType, answer, response_ms: 0 };
  const seen: Lookup[] = [
    readResolved(reply),
    readAuthoritative(reply, 'acme.test', (name) => EXPECTATION.targets.includes(name)).lookup,
  ];
  return seen.map((a) => viewOutcome({ server: 'x', a, aaaa: null, txt: null }, EXPECTATION));
}

/** Returns integers below a bound, the same in every run. */
function seeded(seed: number): (below: number) => number {
  const random = seededRandom(seed);
  return (below) => Math.floor(random() * below);
}
