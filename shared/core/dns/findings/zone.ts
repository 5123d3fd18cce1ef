import { inNameServerZone } from '../../providers/providers.ts';
import { isDefinite, viewOutcome } from '../dns-confirmation.ts';
import type { DnsExpectation } from '../dns-expectation.ts';
import { type Finding, makeFinding } from '../dns-finding.ts';
import type { Delegation, DnsSurvey, Lookup, NameView } from '../dns-survey.ts';
import { brokenLink } from '../trust-chain.ts';
import { weigh } from './evidence.ts';

/** Reports faults that no change to the record can fix: in the domain's registration, its delegation, or its name servers. */
export function findZoneFaults(survey: DnsSurvey, expectation: DnsExpectation): Finding[] {
  const { delegation } = survey;
  if (delegation === null) return [];
  return [
    ...findUnregistered(delegation, expectation),
    ...findLame(delegation, survey, expectation),
    ...findParked(delegation, survey, expectation),
    ...findOtherServers(delegation),
  ];
}

function findUnregistered({ registered }: Delegation, { registrable }: DnsExpectation): Finding[] {
  return registered === false ? [makeFinding('domain_not_registered', null, { name: registrable })] : [];
}

/**
 * Reports lame name servers if all of them are lame, or if no server has an answer. A single lame server among several only slows down
 * lookups.
 */
function findLame(delegation: Delegation, survey: DnsSurvey, expectation: DnsExpectation): Finding[] {
  const { lame_servers, parent_servers } = delegation;
  if (lame_servers.length === 0) return [];
  // A lame server may be listed with its address: `ns1.example.net (192.0.2.1)`.
  const lame = new Set(lame_servers.map((server) => server.split(' ')[0]));
  const views = [...survey.authorities, ...survey.resolvers];
  const nobodyKnows = views.every((view) => viewOutcome(view, expectation) === 'unknown');
  const allLame = parent_servers.length > 0 && parent_servers.every((server) => lame.has(server));
  if (!allLame && !nobodyKnows) return [];
  return [makeFinding('dns_delegation_lame', null, { found: lame_servers.join(', ') })];
}

function findParked(delegation: Delegation, survey: DnsSurvey, expectation: DnsExpectation): Finding[] {
  const servers = nameServers(delegation);
  if (!isParked(servers) || weigh(survey, expectation).wrong.length === 0) return [];
  return [makeFinding('domain_parked', null, { found: servers.join(', ') })];
}

function findOtherServers({ parent_servers, own_servers }: Delegation): Finding[] {
  if (parent_servers.length === 0 || own_servers.length === 0) return [];
  const found = parent_servers.toSorted().join(', ');
  const expected = own_servers.toSorted().join(', ');
  return found === expected ? [] : [makeFinding('dns_ns_mismatch', null, { expected, found })];
}

/** Returns the servers that resolvers ask: the servers that the parent lists, else the servers that the zone itself lists. */
export function nameServers(delegation: Delegation | null): readonly string[] {
  if (delegation === null) return [];
  return delegation.parent_servers.length > 0 ? delegation.parent_servers : delegation.own_servers;
}

/** Returns true if all name servers of a zone belong to parking services, which ignore the records that the owner adds. */
export function isParked(nameServers: readonly string[]): boolean {
  return (
    nameServers.length > 0 &&
    nameServers.every((nameServer) => PARKING_ZONES.some((zone) => inNameServerZone(nameServer, zone)))
  );
}

/** `dns-parking.com` is left out, because Hostinger serves live zones there. */
const PARKING_ZONES: readonly string[] = [
  'above.com',
  'afternic.com',
  'bodis.com',
  'cashparking.com',
  'dan.com',
  'parkingcrew.net',
  'parklogic.com',
  'sedoparking.com',
  'undeveloped.com',
];

/**
 * Reports DNSSEC signatures that do not validate. A resolver shows this by SERVFAIL with an extended error (RFC 8914), or by an answer that
 * it gives only without validation. If at least as many resolvers answer as fail, the fault is assumed to be at the resolvers. If no
 * resolver was asked, reports only DS records without a matching key.
 */
export function findInvalidDnssec(survey: DnsSurvey): Finding[] {
  const { resolvers, probes } = survey;
  const link = brokenLink(survey);
  if (resolvers.length === 0 && link !== null) {
    const found = link.ds.map(({ value }) => `DS ${value}`).join(', ');
    return [makeFinding('dnssec_invalid', null, { found })];
  }
  const answersUnvalidated = probes.unvalidated !== null && probes.unvalidated.outcome !== 'unknown';
  const failed = resolvers.filter(({ a }) => a.failure === 'servfail');
  const told = failed.filter((view) => dnssecErrors(view).length > 0);
  const bogus = answersUnvalidated ? failed : told;
  const answered = resolvers.filter(({ a }) => isDefinite(a));
  if (bogus.length === 0 || bogus.length <= answered.length) return [];
  const errors = [...new Set(told.flatMap(dnssecErrors))].map((code) => `${ERRORS.get(code)} (EDE ${code})`);
  return [makeFinding('dnssec_invalid', null, { found: ['SERVFAIL', ...errors].join(', ') })];
}

/** INFO-CODEs of RFC 8914 section 4 that blame the zone's signatures. */
const ERRORS: ReadonlyMap<number, string> = new Map([
  [6, 'DNSSEC Bogus'],
  [7, 'Signature Expired'],
  [9, 'DNSKEY Missing'],
  [10, 'RRSIGs Missing'],
]);

function dnssecErrors({ a, aaaa, txt }: NameView): number[] {
  const failed = [a, aaaa, txt].filter((lookup): lookup is Lookup => lookup?.failure === 'servfail');
  return failed.flatMap(({ ede }) => ede).filter((code) => ERRORS.has(code));
}
