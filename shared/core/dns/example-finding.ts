import type { PublicPath } from '../public-path/public-path.ts';
import type { ReasonCode, ReasonFacts } from '../reasons.ts';
import type { FixableCode, WITHOUT_CHANGES } from './changes/without-changes.ts';
import type { DnsExpectation } from './dns-expectation.ts';
import { type Finding, makeFinding } from './dns-finding.ts';
import { diagnose } from './dns-findings.ts';
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
} from './dns-survey.ts';
import { ourAddresses } from './findings/expected-record.ts';

/**
 * Returns an example of the finding that a check of the domain reports for a reason. The detectors of real checks make the finding from an
 * invented survey. Test hostnames (`docs/test-mode.md`) and the pages of the reasons show these examples. Returns null for a reason that
 * neither a check nor a certificate authority reports.
 */
export function exampleFinding(code: ReasonCode, expectation: DnsExpectation): Finding | null {
  if (code in ANSWERS) return makeFinding(code, null, ANSWERS[code as AnswerCode](expectation));
  if (!(code in SURVEYS)) return null;
  const survey = surveyOf(SURVEYS[code as SurveyCode](expectation), expectation);
  return diagnose(survey, expectation).find((finding) => finding.code === code) ?? null;
}

/**
 * The reasons that need an invented survey. `whitelabel_unverified` needs none, because it is about the app's own host, whose records are
 * known.
 */
type SurveyCode = Exclude<FixableCode | keyof typeof WITHOUT_CHANGES, 'whitelabel_unverified'>;
type AnswerCode = 'ca_rejected' | 'ca_challenge_failed' | 'ca_rate_limited';

const OTHER_V4 = '203.0.113.7';
const OTHER_V6 = '2001:db8:ffff::7';
/**
 * Addresses of real networks, because detectors treat addresses for documentation as reserved, and recognize Cloudflare's proxy by its
 * addresses.
 */
const PUBLIC_V4 = '93.184.215.14';
const PROXY = ['104.16.0.7', '104.16.1.7'];
const OTHER_NAME = 'shops.example.net';
const SERVERS = ['ns1.provider.example', 'ns2.provider.example'];
const OLD_SERVERS = ['ns1.old-provider.example', 'ns2.old-provider.example'];
const RESOLVERS = ['1.1.1.1', '8.8.8.8', '9.9.9.9'];
const TTL_S = 300;

/** The response of one server: its records as `<type> <value>`, an empty list, or a failure. */
type Said = readonly string[] | LookupFailure;

interface SaidView {
  at: Said;
  /** The response at the name of the TXT record. By default, it is the same failure as `at`, or has no record. */
  txt?: Said;
}

interface SaidSurvey {
  /** The responses of the zone's own servers. By default, one server returns the right records. */
  zone?: readonly SaidView[];
  resolvers?: readonly SaidView[];
  delegation?: Partial<Delegation>;
  probes?: Partial<Probes>;
  path?: Partial<PublicPath>;
}

const NOTHING: SaidView = { at: [] };

/** The facts that a certificate authority reports. */
const ANSWERS = {
  ca_rejected: () => ({ found: 'the name is on a list of names that are at risk' }),
  ca_challenge_failed: (expectation) => ({ expected: ourAddresses(expectation), found: OTHER_V4 }),
  ca_rate_limited: () => ({ wait: '3 hours' }),
} as const satisfies Record<AnswerCode, (expectation: DnsExpectation) => ReasonFacts>;

/** An invented survey for each reason. A check of the survey reports this reason. */
const SURVEYS: Readonly<Record<SurveyCode, (expectation: DnsExpectation) => SaidSurvey>> = {
  domain_not_registered: () => ({ zone: [NOTHING], delegation: { registered: false } }),
  dns_delegation_lame: () => ({
    zone: [],
    delegation: { parent_servers: OLD_SERVERS, lame_servers: OLD_SERVERS },
  }),
  dnssec_invalid: ({ registrable }) => ({
    probes: {
      trust: [
        {
          zone: registrable,
          parent: registrable.split('.').slice(1).join('.'),
          ds: lookup(registrable, 'DS', [`DS 31589 13 2 ${'4d1f8a60c3b97e25'.repeat(4)}`]),
          keys: [lookup(registrable, 'DNSKEY', [])],
        },
      ],
    },
  }),
  domain_parked: () => {
    const servers = ['ns1.sedoparking.com', 'ns2.sedoparking.com'];
    return { zone: [NOTHING], delegation: { parent_servers: servers, own_servers: servers } };
  },
  dns_conflicting_record: ({ hostname, targets: [target] }) => ({
    zone: [{ at: [`A ${OTHER_V4}`] }],
    probes: { besideCname: [lookup(hostname, 'CNAME', [`CNAME ${target}`])] },
  }),
  dns_apex_cname: ({ hostname }) => ({
    zone: [{ at: [`CNAME ${OTHER_NAME}`] }],
    delegation: { zone: hostname },
  }),
  dns_doubled_host: (expectation) => ({
    zone: [NOTHING],
    probes: {
      doubledHost: lookup(`${expectation.hostname}.${expectation.registrable}`, 'A', right(expectation).at),
      doubledWildcard: lookup(`other.${expectation.registrable}`, 'A', []),
    },
  }),
  dns_doubled_target: ({ targets: [target], registrable, is_apex }) => ({
    zone: [{ at: [`CNAME ${target}.${registrable}`] }],
    // An apex can have a CNAME only at a provider that turns the CNAME into addresses.
    ...(is_apex && { delegation: { parent_servers: FLATTENING, own_servers: FLATTENING } }),
  }),
  proxy_plain_http: (expectation) => proxied(expectation, { hop: 'flexible' }),
  proxy_misdirects: (expectation) => proxied(expectation, { hop: 'cached' }),
  proxy_unreachable: (expectation) => proxied(expectation, { hop: 'unreachable' }),
  proxy_https_failed: (expectation) => proxied(expectation, { hop: 'proxied', https_fails: true }),
  proxy_leads_here: (expectation) => proxied(expectation, { hop: 'tls_ended', leads_here: true }),
  dns_proxied: () => ({ zone: [{ at: PROXY.map((address) => `A ${address}`) }] }),
  dns_reserved_address: () => ({ zone: [{ at: ['A 192.168.1.20'] }] }),
  dns_stale_aaaa: (expectation) => ({
    zone: [{ ...flat(expectation), at: [...ipv4(expectation), `AAAA ${OTHER_V6}`] }],
  }),
  dns_extra_addresses: (expectation) => ({
    zone: [{ ...flat(expectation), at: [...ipv4(expectation), `A ${OTHER_V4}`] }],
  }),
  dns_record_mismatch: (expectation) => ({ zone: [elsewhere(expectation)] }),
  dns_record_missing: () => ({ zone: [NOTHING] }),
  dns_https_elsewhere: (expectation) => ({
    zone: [flat(expectation)],
    probes: {
      besideCname: [lookup(expectation.hostname, 'HTTPS', [`HTTPS 1 . ipv4hint=${OTHER_V4}`])],
    },
  }),
  whitelabel_ended: ({ host }) => ({ zone: [{ at: host === null ? [] : [`CNAME ${host.name}`] }] }),
  dns_txt_mismatch: (expectation) => ({ zone: [{ ...flat(expectation), txt: ['TXT an-older-value'] }] }),
  dns_txt_missing: (expectation) => {
    const { txtName, registrable, txt_value } = expectation;
    const doubledTxt = lookup(`${txtName}.${registrable}`, 'TXT', [`TXT ${txt_value}`]);
    return { zone: [{ ...flat(expectation), txt: [] }], probes: { doubledTxt } };
  },
  dns_ns_mismatch: () => ({ delegation: { parent_servers: OLD_SERVERS } }),
  dns_acme_challenge_conflict: ({ hostname }) => ({
    probes: {
      acmeChallenge: lookup(`_acme-challenge.${hostname}`, 'CNAME', ['CNAME acme.other-host.example']),
    },
  }),
  dns_resolver_blocks: (expectation) => ({
    resolvers: [right(expectation), right(expectation), { at: 'blocked' }],
  }),
  dns_provider_syncing: (expectation) => ({ zone: [right(expectation), NOTHING] }),
  dns_propagating: (expectation) => ({
    resolvers: [elsewhere(expectation), right(expectation), right(expectation)],
  }),
  dns_resolver_unavailable: () => ({ resolvers: RESOLVERS.map(() => ({ at: 'timeout' })) }),
  caa_forbids: ({ registrable, hostname }) => ({
    probes: { caa: caaLookups(hostname, { [registrable]: ['CAA 0 issue "other-ca.example"'] }) },
  }),
  caa_lookup_failed: ({ hostname }) => ({
    probes: { caa: caaLookups(hostname, { [hostname]: 'servfail' }) },
  }),
};

const FLATTENING = ['ns1.vercel-dns.com', 'ns2.vercel-dns.com'];

/**
 * Returns a server's response with the right records. With a white-label host, the CNAME chain leads through the host to the app's own
 * target.
 */
function right(expectation: DnsExpectation): SaidView {
  return expectation.is_apex
    ? flat(expectation)
    : { at: expectation.targets.map((target) => `CNAME ${target}`) };
}

/** Returns a server's response with our addresses and the TXT record, which also work for a name that cannot have a CNAME. */
function flat(expectation: DnsExpectation): SaidView {
  const ipv6 = expectation.edgeIpv6.map((address) => `AAAA ${address}`);
  return { at: [...ipv4(expectation), ...ipv6], txt: [`TXT ${expectation.txt_value}`] };
}

function ipv4({ edgeIpv4 }: DnsExpectation): string[] {
  return edgeIpv4.map((address) => `A ${address}`);
}

function elsewhere({ is_apex }: DnsExpectation): SaidView {
  return { at: [is_apex ? `A ${PUBLIC_V4}` : `CNAME ${OTHER_NAME}`] };
}

/**
 * Returns a survey of a hostname behind a proxy, which hides the hostname's own records. The TXT record shows that the hostname is meant to
 * lead to us.
 */
function proxied({ txt_value }: DnsExpectation, path: Partial<PublicPath>): SaidSurvey {
  return { zone: [{ at: PROXY.map((address) => `A ${address}`), txt: [`TXT ${txt_value}`] }], path };
}

function surveyOf(said: SaidSurvey, expectation: DnsExpectation): DnsSurvey {
  const { zone = [right(expectation)], resolvers = [], delegation, probes, path } = said;
  const view = (
    server: string | undefined,
    { at, txt = typeof at === 'string' ? at : [] }: SaidView,
  ): NameView => ({
    server: server ?? '',
    a: lookup(expectation.hostname, 'A', at, server),
    aaaa: lookup(expectation.hostname, 'AAAA', at, server),
    txt: lookup(expectation.txtName, 'TXT', txt, server),
  });
  return {
    delegation: {
      zone: expectation.registrable,
      registered: true,
      parent_servers: SERVERS,
      own_servers: SERVERS,
      lame_servers: [],
      ...delegation,
    },
    authorities: zone.map((each, index) => view(SERVERS[index], each)),
    resolvers: resolvers.map((each, index) => view(RESOLVERS[index], each)),
    probes: { ...NO_PROBES, ...probes },
    ...(path && {
      path: {
        hop: 'proxied',
        leads_here: false,
        addresses: PROXY,
        reaches_edge: true,
        https_fails: false,
        ...path,
      },
    }),
  };
}

function caaLookups(hostname: string, said: Readonly<Record<string, Said>>): Lookup[] {
  const labels = hostname.split('.');
  const names = labels.map((_, index) => labels.slice(index).join('.'));
  return names.map((name) => lookup(name, 'CAA', said[name] ?? []));
}

/** Creates a lookup from texts such as `A 192.0.2.1`. The record after a CNAME has the CNAME's value as its name. */
function lookup(name: string, type: LookupType, said: Said, server = SERVERS[0] ?? ''): Lookup {
  const failure = typeof said === 'string' ? said : null;
  const records: SeenRecord[] = [];
  for (const text of typeof said === 'string' ? [] : said) {
    const [own = '', ...rest] = text.split(' ');
    const last = records.at(-1);
    const owner = last?.type === 'CNAME' ? last.value : name;
    if (own === type || own === 'CNAME')
      records.push({ name: owner, type: own, value: rest.join(' '), ttl_s: TTL_S });
  }
  const told = records.length > 0 ? 'answer' : 'nodata';
  const outcome = failure === null ? told : 'unknown';
  return { server, name, type, outcome, failure, ede: [], records, negative_ttl_s: TTL_S, response_ms: 0 };
}
