import { expect, test } from 'vitest';
import {
  type DelegationSurvey,
  delegationProblems,
  type SurveyedServer,
} from '../../../shared/core/dns/delegation-problems.ts';
import type { Lookup } from '../../../shared/core/dns/dns-survey.ts';

const ZONE = 'edge.example.net';
const EXPECTED = {
  servers: [
    { name: 'ns1.example.net', addresses: ['203.0.113.53'] },
    { name: 'ns2.edge.example.net', addresses: ['192.0.2.53'] },
  ],
  ipv4: ['192.0.2.10'],
};

function lookup(type: 'A' | 'DS', values: readonly string[]): Lookup {
  return {
    server: '1.1.1.1',
    name: ZONE,
    type,
    outcome: values.length > 0 ? 'answer' : 'nodata',
    failure: null,
    ede: [],
    records: values.map((value) => ({ name: ZONE, type, value, ttl_s: 300 })),
    negative_ttl_s: null,
    response_ms: 1,
  };
}

function server(name: string, fields: Partial<SurveyedServer> = {}): SurveyedServer {
  return { name, address: '192.0.2.53', failure: null, hasTcp: true, serial: 7, ...fields };
}

const RIGHT: DelegationSurvey = {
  zone: ZONE,
  cut: ZONE,
  delegatedTo: ['ns1.example.net', 'ns2.edge.example.net'],
  servers: [server('ns1.example.net'), server('ns2.edge.example.net')],
  ds: lookup('DS', []),
  target: lookup('A', ['192.0.2.10']),
};

test("the check of the edge zone's delegation finds no problem with a correct delegation", () => {
  expect(delegationProblems(RIGHT, EXPECTED)).toEqual([]);
});

const other = (fields: Partial<SurveyedServer>) => ({
  servers: [server('ns1.example.net'), server('ns2.edge.example.net', fields)],
});
test.each<[string, Partial<DelegationSurvey>, RegExp, RegExp]>([
  ['no server above it', { cut: null }, /do not answer/, /domain is registered/],
  [
    'no delegation',
    { cut: 'example.net' },
    /is not delegated: .* the zone example\.net/,
    /Add these records .* edge\.example\.net\. NS ns1\.example\.net\., edge\.example\.net\. NS ns2/,
  ],
  [
    'other servers',
    { delegatedTo: ['ns1.example.net', 'ns9.example.net'] },
    /delegated to ns1\.example\.net, ns9\.example\.net, but/,
    /add edge\.example\.net\. NS ns2\.edge\.example\.net\., remove edge\.example\.net\. NS ns9/,
  ],
  [
    'no glue',
    other({ address: null, failure: 'unreachable' }),
    /ns2.* has no public address/,
    /glue records .* with 192\.0\.2\.53/,
  ],
  [
    'a server outside the zone without an address',
    { servers: [server('ns1.example.net', { address: null }), server('ns2.edge.example.net')] },
    /ns1.* has no public address/,
    /A or AAAA records for ns1\.example\.net .* with 203\.0\.113\.53/,
  ],
  [
    'a silent server',
    other({ failure: 'timeout' }),
    /does not answer/,
    /UDP and TCP .* port 53 of 192\.0\.2\.53/,
  ],
  ['a lame server', other({ failure: 'refused' }), /does not serve edge/, /same NAMEPLATE_EDGE_ZONE/],
  ['a server without TCP', other({ hasTcp: false }), /not over TCP/, /Let TCP through/],
  ['different settings', other({ serial: 8 }), /serial numbers: ns1.* has 7, ns2.* has 8/, /same settings/],
  ['a DS record', { ds: lookup('DS', ['1 13 2 AB']) }, /DS record/, /Remove the DS record/],
  [
    'old addresses',
    { target: lookup('A', ['192.0.2.99']) },
    /find 192\.0\.2\.99 .* not 192\.0\.2\.10/,
    /TTL/,
  ],
  [
    'an old delegation at resolvers',
    { target: { ...lookup('A', []), outcome: 'unknown', failure: 'servfail' } },
    /find no address .* \(servfail\)/,
    /Wait/,
  ],
])("the check of the edge zone's delegation reports %s, and how to fix it", (_, changes, problem, fix) => {
  const found = delegationProblems({ ...RIGHT, ...changes }, EXPECTED);
  expect(found).toHaveLength(1);
  expect(found[0]?.problem).toMatch(problem);
  expect(found[0]?.fix).toMatch(fix);
});
