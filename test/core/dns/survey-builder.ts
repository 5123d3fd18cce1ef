import type { DnsExpectation } from '../../../shared/core/dns/dns-expectation.ts';
import {
  type Delegation,
  type DnsSurvey,
  type Lookup,
  type LookupFailure,
  type LookupType,
  type NameView,
  NO_PROBES,
  type Probes,
  type SeenRecord,
} from '../../../shared/core/dns/dns-survey.ts';
import type { SurveyDepth } from '../../../shared/ports/dns.ts';

export const TARGET = 'a1.edge.service.example';
export const V4 = '203.0.113.10';
export const V6 = '2001:db8::10';
export const PROOF = 'service-verify-1';

/** Public addresses that are not ours, one of each family. */
export const FOREIGN_V4 = '93.184.215.14';
export const FOREIGN_V6 = '2a00:1450::5';

export const SUBDOMAIN: DnsExpectation = {
  hostname: 'careers.acme.com',
  registrable: 'acme.com',
  is_apex: false,
  targets: [TARGET],
  host: null,
  edgeIpv4: [V4],
  edgeIpv6: [V6],
  txtName: '_service.careers.acme.com',
  txt_value: PROOF,
  txtRequired: true,
  caaIssuers: ['letsencrypt.org', 'pki.goog'],
};

export const APEX: DnsExpectation = {
  ...SUBDOMAIN,
  hostname: 'acme.com',
  is_apex: true,
  txtName: '_service.acme.com',
};

/** The records at a name as `<type> <value>`, or the outcome of the lookup if there are none. */
export type Said = readonly string[] | 'nxdomain' | 'nodata' | LookupFailure;

/** Creates a lookup. A record after a CNAME gets the CNAME's target as its owner name. */
export function lookup(name: string, type: LookupType, said: Said, fields: Partial<Lookup> = {}): Lookup {
  const base = { server: 'resolver', name, type, failure: null, ede: [], records: [], negative_ttl_s: null };
  const whole = { ...base, response_ms: 1 };
  if (typeof said !== 'string')
    return { ...whole, outcome: 'answer', records: chained(name, said), ...fields };
  if (said === 'nxdomain' || said === 'nodata')
    return { ...whole, outcome: said, negative_ttl_s: 300, ...fields };
  const records = said === 'loop' ? chained(name, ['CNAME circle.example', `CNAME ${name}`]) : [];
  return { ...whole, outcome: 'unknown', failure: said, records, ...fields };
}

function chained(name: string, said: readonly string[]): SeenRecord[] {
  let owner = name;
  return said.map((text) => {
    const space = text.indexOf(' ');
    const [type, value] = [text.slice(0, space), text.slice(space + 1)];
    const record = { name: owner, type, value, ttl_s: 120 };
    if (type === 'CNAME') owner = value;
    return record;
  });
}

export interface SaidView {
  a: Said;
  aaaa?: Said;
  txt?: Said;
  ede?: readonly number[];
}

export function view(server: string, expectation: DnsExpectation, said: SaidView): NameView {
  const { hostname, txtName } = expectation;
  const fields = { server, ...(said.ede === undefined ? {} : { ede: said.ede }) };
  return {
    server,
    a: lookup(hostname, 'A', said.a, fields),
    aaaa: lookup(hostname, 'AAAA', said.aaaa ?? (typeof said.a === 'string' ? said.a : 'nodata'), fields),
    txt: lookup(txtName, 'TXT', said.txt ?? 'nodata', fields),
  };
}

export const DELEGATION: Delegation = {
  zone: 'acme.com',
  registered: true,
  parent_servers: ['ns1.host.example', 'ns2.host.example'],
  own_servers: ['ns1.host.example', 'ns2.host.example'],
  lame_servers: [],
};

export interface SaidSurvey {
  /** The answers of the zone's own name servers. */
  zone?: readonly SaidView[];
  /** The answers of the resolvers. */
  resolvers?: readonly SaidView[];
  /** The answers of resolvers that the survey replaced by spare resolvers. */
  replaced?: readonly SaidView[];
  delegation?: Partial<Delegation> | null;
  probes?: Partial<Probes>;
}

export function surveyOf(expectation: DnsExpectation, said: SaidSurvey): DnsSurvey {
  const { zone = [], resolvers = [], replaced, delegation = {}, probes = {} } = said;
  return {
    delegation: delegation === null ? null : { ...DELEGATION, ...delegation },
    authorities: zone.map((each, index) => view(`ns${index + 1}.host.example`, expectation, each)),
    resolvers: resolvers.map((each, index) => view(RESOLVERS[index] ?? 'more', expectation, each)),
    ...(replaced && { replaced: replaced.map((each) => view('9.9.9.9', expectation, each)) }),
    probes: { ...NO_PROBES, ...probes },
  };
}

/** Returns the survey without the answers that a survey of this depth does not ask for. */
export function atDepth(depth: SurveyDepth, survey: DnsSurvey): DnsSurvey {
  const { authorities } = survey;
  if (depth !== 'zone') return survey;
  return { delegation: null, authorities: authorities.slice(0, 1), resolvers: [], probes: NO_PROBES };
}

export const RESOLVERS = ['1.1.1.1', '8.8.8.8', '9.9.9.9'];

/** Creates CAA lookups for a name and all names above it. Names that `said` omits have no CAA records. */
export function caaLookups(hostname: string, said: Readonly<Record<string, Said>>): Lookup[] {
  const labels = hostname.split('.');
  const names = labels.map((_, index) => labels.slice(index).join('.'));
  return names.map((name) => lookup(name, 'CAA', said[name] ?? 'nodata'));
}
