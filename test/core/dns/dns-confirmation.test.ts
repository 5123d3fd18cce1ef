import { describe, expect, test } from 'vitest';
import {
  isSeenAndUncontested,
  routedThrough,
  viewOutcome,
} from '../../../shared/core/dns/dns-confirmation.ts';
import type { DnsExpectation } from '../../../shared/core/dns/dns-expectation.ts';
import type { Lookup, LookupFailure, NameView, SeenRecord } from '../../../shared/core/dns/dns-survey.ts';

const SUBDOMAIN: DnsExpectation = {
  hostname: 'careers.acme.com',
  registrable: 'acme.com',
  is_apex: false,
  targets: ['k3x9.edge.example.net', 'domains.ats.example'],
  host: null,
  edgeIpv4: ['192.0.2.10', '192.0.2.11'],
  edgeIpv6: ['2001:db8:0:0::10'],
  txtName: '_service.careers.acme.com',
  txt_value: 'service-verify=abc',
  txtRequired: true,
  caaIssuers: ['letsencrypt.org'],
};
const APEX: DnsExpectation = {
  ...SUBDOMAIN,
  hostname: 'acme.com',
  is_apex: true,
  txtName: '_service.acme.com',
};

describe("a server's answers about a subdomain are right, wrong or unknown", () => {
  test.each([
    ['a CNAME to the target', view(found('CNAME k3x9.edge.example.net')), 'right'],
    ['a CNAME to the white-label host', view(found('CNAME domains.ats.example')), 'right'],
    [
      'a chain that passes the target',
      view(found('CNAME x.acme.com', 'CNAME k3x9.edge.example.net')),
      'right',
    ],
    ['a chain to a target without address', view(no('nxdomain', 'CNAME k3x9.edge.example.net')), 'right'],
    [
      'a CNAME to the target beside an AAAA record elsewhere',
      view(found('CNAME k3x9.edge.example.net'), found('AAAA 2a00:1450::5')),
      'wrong',
    ],
    [
      'a CNAME to the target beside our AAAA record',
      view(found('CNAME k3x9.edge.example.net'), found('AAAA 2001:db8::10')),
      'right',
    ],
    [
      'a CNAME to the target, and no answer about AAAA',
      view(found('CNAME k3x9.edge.example.net'), unknown('timeout')),
      'right',
    ],
    ['a CNAME elsewhere', view(found('CNAME other.example')), 'wrong'],
    [
      'a CNAME to a name that only starts with the target',
      view(found('CNAME k3x9.edge.example.net.acme.com')),
      'wrong',
    ],
    ['a name that does not exist', view(no('nxdomain')), 'wrong'],
    ['our addresses without the TXT', view(found('A 192.0.2.10'), no('nodata'), no('nxdomain')), 'wrong'],
    [
      'our addresses with another TXT',
      view(found('A 192.0.2.10'), no('nodata'), found('TXT other')),
      'wrong',
    ],
    ['our addresses with the TXT', flattened(found('A 192.0.2.10')), 'right'],
    [
      'our addresses and an unknown TXT',
      view(found('A 192.0.2.10'), no('nodata'), unknown('timeout')),
      'unknown',
    ],
    ['a server that fails', view(unknown('servfail')), 'unknown'],
    [
      'a chain to the target that a failure cut short',
      view(unknown('servfail', 'CNAME k3x9.edge.example.net')),
      'unknown',
    ],
    ['a CNAME that leads back to itself', view(unknown('loop', 'CNAME careers.acme.com')), 'wrong'],
  ])('the answers with %s have the expected outcome', (_, seen, outcome) => {
    expect(viewOutcome(seen, SUBDOMAIN)).toBe(outcome);
  });
});

describe("a server's answers about an apex are right, wrong or unknown", () => {
  const A = found('A 192.0.2.10', 'A 192.0.2.11');
  const TXT = found('TXT v=spf1 -all', 'TXT service-verify=abc');
  test.each([
    ['all records', view(A, found('AAAA 2001:db8::10'), TXT), 'right'],
    ['one of our addresses', view(found('A 192.0.2.11'), no('nodata'), TXT), 'right'],
    ['no AAAA', view(A, no('nodata'), TXT), 'right'],
    ['a foreign AAAA', view(A, found('AAAA 2001:db8::99'), TXT), 'wrong'],
    ['ours and another', view(found('A 192.0.2.10', 'A 198.51.100.7'), no('nodata'), TXT), 'wrong'],
    ['only AAAA', view(no('nodata'), found('AAAA 2001:db8::10'), TXT), 'wrong'],
    ['no TXT', view(A, no('nodata'), no('nxdomain')), 'wrong'],
    ['no TXT and unknown addresses', view(unknown('timeout'), no('nodata'), no('nxdomain')), 'wrong'],
    ['an unknown AAAA', view(A, unknown('servfail'), TXT), 'unknown'],
    ['nothing known', view(unknown('timeout'), unknown('timeout'), unknown('timeout')), 'unknown'],
    ['a target, but no TXT', view(found('CNAME k3x9.edge.example.net'), no('nodata'), no('nodata')), 'wrong'],
    ['a chain whose end is ours', view(found('CNAME x.example', 'A 192.0.2.10'), no('nodata'), TXT), 'right'],
  ])('the answers with %s have the expected outcome', (_, seen, outcome) => {
    expect(viewOutcome(seen, APEX)).toBe(outcome);
  });

  test('the answers need no TXT record if the apex already has the route', () => {
    const expectation = { ...APEX, txtRequired: false };
    expect(viewOutcome(view(A, no('nodata'), no('nxdomain')), expectation)).toBe('right');
    expect(viewOutcome(view(A, no('nodata'), unknown('timeout')), expectation)).toBe('right');
    expect(viewOutcome(view(found('A 198.51.100.7'), no('nodata'), TXT), expectation)).toBe('wrong');
  });

  test('the answers need an AAAA record if the edge has only IPv6', () => {
    const expectation = { ...APEX, edgeIpv4: [] };
    expect(viewOutcome(view(no('nodata'), found('AAAA 2001:db8::10'), TXT), expectation)).toBe('right');
    expect(viewOutcome(view(no('nodata'), no('nodata'), TXT), expectation)).toBe('wrong');
  });
});

test('a domain is routed through the first of our targets in its CNAME chain, or through none if the CNAME is flattened', () => {
  const chain = found('CNAME domains.ats.example', 'CNAME k3x9.edge.example.net');
  expect(routedThrough(view(chain), SUBDOMAIN)).toBe('domains.ats.example');
  expect(routedThrough(flattened(found('A 192.0.2.10')), SUBDOMAIN)).toBeNull();
  expect(routedThrough(view(found('CNAME other.example')), SUBDOMAIN)).toBeNull();
});

test('a record is seen and uncontested if one server has right answers and no server has wrong answers', () => {
  const right = view(found('CNAME k3x9.edge.example.net'));
  const wrong = view(no('nxdomain'));
  const silent = view(unknown('timeout'));
  expect(isSeenAndUncontested([right, silent], SUBDOMAIN)).toBe(true);
  expect(isSeenAndUncontested([right, wrong], SUBDOMAIN)).toBe(false);
  expect(isSeenAndUncontested([silent], SUBDOMAIN)).toBe(false);
  expect(isSeenAndUncontested([], SUBDOMAIN)).toBe(false);
});

function view(a: Lookup, aaaa: Lookup | null = null, txt: Lookup | null = null): NameView {
  return { server: '192.0.2.53', a, aaaa, txt };
}

function flattened(a: Lookup): NameView {
  return view(a, no('nodata'), found('TXT service-verify=abc'));
}

/** @param records `CNAME target`, `A address`, `TXT text`. */
function found(...records: string[]): Lookup {
  return lookup('answer', null, records);
}

function no(outcome: 'nxdomain' | 'nodata', ...records: string[]): Lookup {
  return lookup(outcome, null, records);
}

function unknown(failure: LookupFailure, ...records: string[]): Lookup {
  return lookup('unknown', failure, records);
}

function lookup(outcome: Lookup['outcome'], failure: LookupFailure | null, records: string[]): Lookup {
  return {
    server: '192.0.2.53',
    name: 'careers.acme.com',
    type: 'A',
    outcome,
    failure,
    ede: [],
    records: records.map(seen),
    negative_ttl_s: null,
    response_ms: 1,
  };
}

function seen(text: string): SeenRecord {
  const [type = '', ...rest] = text.split(' ');
  return { name: 'careers.acme.com', type, value: rest.join(' '), ttl_s: 60 };
}
