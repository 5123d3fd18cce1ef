import { describe, expect, test } from 'vitest';
import { lookup, SUBDOMAIN } from '../survey-builder.ts';
import { ADDRESS, all, type Case, codesOf, HOST, NONE, RIGHT, SERVFAIL, TIMEOUT } from './cases.ts';

describe('the findings about the zone above the record say what is wrong', () => {
  const parked = { parent_servers: ['ns1.sedoparking.com', 'ns2.sedoparking.com'], own_servers: [] };
  test.each<Case>([
    [
      'not registered',
      { ...all(NONE), delegation: { registered: false, zone: null } },
      ['domain_not_registered'],
    ],
    ['not registered, and no server asked', { delegation: { registered: false } }, ['domain_not_registered']],
    ['registration unknown', { ...all(NONE), delegation: { registered: null } }, ['dns_record_missing']],
    ['parked', { zone: [ADDRESS], delegation: parked }, ['domain_parked']],
    ['parked, but with the right record', { zone: [RIGHT], ...all(RIGHT), delegation: parked }, []],
    [
      "Hostinger's live servers",
      { zone: [NONE], delegation: { parent_servers: ['ns1.dns-parking.com'], own_servers: [] } },
      ['dns_record_missing'],
    ],
    [
      'all its servers lame',
      {
        ...all(SERVFAIL),
        zone: [TIMEOUT, TIMEOUT],
        delegation: { lame_servers: ['ns1.host.example (192.0.2.1)', 'ns2.host.example'] },
      },
      ['dns_delegation_lame'],
    ],
    [
      'one lame, and no server has an answer',
      { ...all(SERVFAIL), zone: [TIMEOUT], delegation: { lame_servers: ['ns1.host.example'] } },
      ['dns_delegation_lame'],
    ],
    [
      'one lame, the others answer',
      { zone: [RIGHT], ...all(RIGHT), delegation: { lame_servers: ['ns1.host.example'] } },
      [],
    ],
    [
      'other servers in the zone',
      { zone: [RIGHT], ...all(RIGHT), delegation: { own_servers: ['ns3.host.example'] } },
      ['dns_ns_mismatch'],
    ],
    [
      'the same servers in another order',
      { zone: [RIGHT], ...all(RIGHT), delegation: { own_servers: ['ns2.host.example', 'ns1.host.example'] } },
      [],
    ],
    ["the zone's own servers unknown", { zone: [RIGHT], ...all(RIGHT), delegation: { own_servers: [] } }, []],

    ['bogus signatures', all({ ...SERVFAIL, ede: [6] }), ['dnssec_invalid']],
    [
      'an answer only without validation',
      { ...all(SERVFAIL), probes: { unvalidated: lookup(HOST, 'A', RIGHT.a) } },
      ['dnssec_invalid'],
    ],
    [
      'a definite no only without validation',
      { ...all(SERVFAIL), probes: { unvalidated: lookup(HOST, 'A', 'nxdomain') } },
      ['dnssec_invalid'],
    ],
    ['SERVFAIL for another reason', all({ ...SERVFAIL, ede: [22] }), ['dns_resolver_unavailable']],
    [
      'SERVFAIL without validation too',
      { ...all(SERVFAIL), probes: { unvalidated: lookup(HOST, 'A', 'servfail') } },
      ['dns_resolver_unavailable'],
    ],
    [
      'only one resolver that finds them bogus',
      { zone: [RIGHT], resolvers: [{ ...SERVFAIL, ede: [6] }, RIGHT, RIGHT] },
      ['dns_resolver_unavailable'],
    ],
    [
      'one resolver that does not validate',
      { zone: [RIGHT], resolvers: [RIGHT, { ...SERVFAIL, ede: [9] }, { ...SERVFAIL, ede: [9] }] },
      ['dnssec_invalid'],
    ],
    [
      'wrong signatures and a wrong record',
      { zone: [NONE], ...all({ ...SERVFAIL, ede: [7] }) },
      ['dnssec_invalid', 'dns_record_missing'],
    ],
  ])('have the expected codes in the case "%s"', (_, said, codes) => {
    expect(codesOf(SUBDOMAIN, said)).toEqual(codes);
  });
});
