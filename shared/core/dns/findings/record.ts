import { isUnder } from '../../domains/hostname.ts';
import { isCloudflareAddress } from '../../edge/cloudflare-addresses.ts';
import { isGlobalUnicast } from '../../net/address.ts';
import { findProvider } from '../../providers/providers.ts';
import type { DnsExpectation } from '../dns-expectation.ts';
import { type Finding, makeFinding } from '../dns-finding.ts';
import type { DnsSurvey } from '../dns-survey.ts';
import { knownService } from '../known-services.ts';
import { panelName } from './at-hostname.ts';
import { leadsToUs, type Seen, seenIn, weigh } from './evidence.ts';
import { expectedRecord, ourAddresses } from './expected-record.ts';
import { nameServers } from './zone.ts';

/**
 * Reports what is wrong with the record that should point to us. For each server with a wrong record, reports the first fault that matches.
 */
export function findRecordFaults(survey: DnsSurvey, expectation: DnsExpectation): Finding[] {
  return weigh(survey, expectation).wrong.flatMap((view) => {
    const seen = seenIn(view, expectation);
    for (const findFault of FAULTS) {
      const finding = findFault(seen, survey, expectation);
      if (finding !== null) return [finding];
    }
    return [];
  });
}

type FindFault = (seen: Seen, survey: DnsSurvey, expectation: DnsExpectation) => Finding | null;

/** The detectors, the most specific first. If only the TXT record is at fault, no detector matches. */
const FAULTS: readonly FindFault[] = [
  brokenWhitelabel,
  doubledTarget,
  extraAddresses,
  staleAaaa,
  proxied,
  reservedAddress,
  mismatch,
  missing,
];

/**
 * Reports a record that points through the app's white-label host, if the host does not lead to us, or if the plan no longer includes
 * white-label.
 */
function brokenWhitelabel({ chain }: Seen, survey: DnsSurvey, expectation: DnsExpectation): Finding | null {
  const { host } = expectation;
  if (host === null || !chain.includes(host.name)) return null;
  const { name, target, ended } = host;
  // For a verified host, no wrong CNAME is stored, so the value found is the next name in the chain.
  const found = host.accepted ? (chain[chain.indexOf(name) + 1] ?? null) : host.found;
  if (ended) {
    const record = { type: 'CNAME', name: expectedRecord(survey, expectation).name };
    return makeFinding('whitelabel_ended', record, { expected: target, found: name });
  }
  return makeFinding('whitelabel_unverified', { type: 'CNAME', name }, { expected: target, found });
}

function doubledTarget({ chain }: Seen, survey: DnsSurvey, expectation: DnsExpectation): Finding | null {
  const { targets, registrable } = expectation;
  for (const target of targets) {
    const found = chain.find((name) => name.startsWith(`${target}.`) && isUnder(name, registrable));
    if (found !== undefined) {
      const { name } = expectedRecord(survey, expectation);
      return makeFinding('dns_doubled_target', { type: 'CNAME', name }, { expected: target, found });
    }
  }
  return null;
}

function extraAddresses(seen: Seen, survey: DnsSurvey, expectation: DnsExpectation): Finding | null {
  const { ours, othersV4, othersV6 } = seen;
  const oursV6 = ours.filter((address) => address.includes(':'));
  const mixedV4 = ours.length > oursV6.length && othersV4.length > 0;
  const mixedV6 = oursV6.length > 0 && othersV6.length > 0;
  if (!mixedV4 && !mixedV6) return null;
  const { name } = expectedRecord(survey, expectation);
  const facts = { expected: ourAddresses(expectation), found: [...othersV4, ...othersV6].join(', ') };
  return makeFinding('dns_extra_addresses', { type: mixedV4 ? 'A' : 'AAAA', name }, facts);
}

function staleAaaa(seen: Seen, survey: DnsSurvey, expectation: DnsExpectation): Finding | null {
  const { reaches, ours, othersV4, othersV6 } = seen;
  if (othersV6.length === 0 || othersV4.length > 0 || (ours.length === 0 && !reaches)) return null;
  const { name } = expectedRecord(survey, expectation);
  const facts = { expected: expectation.edgeIpv6.join(', '), found: othersV6.join(', ') };
  return makeFinding('dns_stale_aaaa', { type: 'AAAA', name }, facts);
}

/**
 * Reports a Cloudflare proxy, which hides the CNAME or shows Cloudflare's own addresses instead. A CNAME to another company's name at
 * Cloudflare does not count as a proxy.
 */
function proxied(seen: Seen, survey: DnsSurvey, expectation: DnsExpectation): Finding | null {
  const { chain, ours, othersV4, othersV6 } = seen;
  const others = [...othersV4, ...othersV6];
  const provider = findProvider(nameServers(survey.delegation));
  const ownProxy = chain.length === 0 && (provider === null || provider.id === 'cloudflare');
  const partialSetup = chain.some((name) => isUnder(name, 'cdn.cloudflare.net'));
  if (others.length === 0 || ours.length > 0 || !others.every(isCloudflareAddress)) return null;
  if (!ownProxy && !partialSetup) return null;
  const { type, name, value } = expectedRecord(survey, expectation);
  return makeFinding('dns_proxied', { type, name }, { expected: value, found: others.join(', ') });
}

function reservedAddress(seen: Seen, survey: DnsSurvey, expectation: DnsExpectation): Finding | null {
  const { chain, othersV4, othersV6 } = seen;
  const reserved = [...othersV4, ...othersV6].filter((address) => !isGlobalUnicast(address));
  if (chain.length > 0 || reserved.length === 0) return null;
  const { type, name, value } = expectedRecord(survey, expectation);
  const record = { type: othersV4.length > 0 ? 'A' : 'AAAA', name };
  return makeFinding('dns_reserved_address', record, { type, expected: value, found: reserved.join(', ') });
}

function mismatch(seen: Seen, survey: DnsSurvey, expectation: DnsExpectation): Finding | null {
  const { chain, reaches, othersV4, othersV6 } = seen;
  const values = chain.length > 0 ? chain.slice(0, 1) : [...othersV4, ...othersV6];
  if (reaches || values.length === 0) return null;
  const service = [...chain, ...othersV4, ...othersV6].map(knownService).find((each) => each !== null);
  const found = values.join(', ') + (service === undefined ? '' : ` (${service})`);
  const { type, name, value } = expectedRecord(survey, expectation);
  return makeFinding('dns_record_mismatch', { type, name }, { expected: value, found });
}

function missing(seen: Seen, survey: DnsSurvey, expectation: DnsExpectation): Finding | null {
  if (!seen.noAddress || seen.chain.length > 0) return null;
  const { type, name, value } = expectedRecord(survey, expectation);
  return makeFinding('dns_record_missing', { type, name }, { expected: value });
}

/**
 * Reports our record if the customer created it with the domain's name doubled, as in `careers.acme.com.acme.com`. If a random name in that
 * place leads to us as well, a wildcard is the cause, and nothing is reported.
 */
export function findDoubledHost(survey: DnsSurvey, expectation: DnsExpectation): Finding[] {
  const { doubledHost, doubledWildcard } = survey.probes;
  if (doubledHost === null || doubledWildcard === null || doubledWildcard.outcome === 'unknown') return [];
  if (weigh(survey, expectation).wrong.length === 0) return [];
  if (!leadsToUs(doubledHost, expectation) || leadsToUs(doubledWildcard, expectation)) return [];
  const { type, name, value } = expectedRecord(survey, expectation);
  const facts = { expected: value, found: doubledHost.name };
  return [makeFinding('dns_doubled_host', { type, name }, facts)];
}

/**
 * Reports a CNAME at the top of a zone, where SOA and NS records forbid it (RFC 1034 section 3.6.2), unless the provider replaces the CNAME
 * with addresses. Also reports a subdomain that is a zone of its own and has no record yet, because we ask for a CNAME there.
 */
export function findApexCname(survey: DnsSurvey, expectation: DnsExpectation): Finding[] {
  const { hostname, is_apex } = expectation;
  const isZone = survey.delegation?.zone === hostname;
  const [view] = weigh(survey, expectation).wrong;
  if (view === undefined || (!is_apex && !isZone)) return [];
  const provider = findProvider(nameServers(survey.delegation));
  const { chain, noAddress } = seenIn(view, expectation);
  const [found = null] = chain;
  const standsThere = found !== null && provider?.apex !== 'cname_flattening';
  const wouldBeAsked = !is_apex && found === null && noAddress && provider?.apex === undefined;
  if (!standsThere && !wouldBeAsked) return [];
  const record = { type: 'CNAME', name: panelName(hostname, survey, expectation) };
  return [makeFinding('dns_apex_cname', record, { expected: ourAddresses(expectation), found })];
}
