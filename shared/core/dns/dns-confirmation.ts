import ipaddr from 'ipaddr.js';
import { type DnsExpectation, neededAddressType } from './dns-expectation.ts';
import type { DnsSurvey, Lookup, LookupFailure, LookupType, NameView } from './dns-survey.ts';

/** Whether a server returns the records that the domain needs. `unknown`: its responses do not show whether the records are right. */
export type ViewOutcome = 'right' | 'wrong' | 'unknown';

/**
 * Decides whether the records that one server returned are right. Only lookups with a definite result can make the outcome right or wrong
 * (`docs/domains.md`). A CNAME chain that contains an app's CNAME target is right only for that app. A subdomain needs such a chain, and no
 * AAAA record of another server. An apex, or a subdomain whose CNAME was flattened, needs our addresses and no others. Until ownership is
 * proven, an apex or flattened subdomain also needs the TXT record.
 */
export function viewOutcome(view: NameView, expectation: DnsExpectation): ViewOutcome {
  const { is_apex, host } = expectation;
  if (host?.ended && leadsThrough(view.a, host.name)) return 'wrong';
  if (!is_apex && !isDefinite(view.a)) return 'unknown';
  if (isDefinite(view.a)) {
    if (isKept(view.a, expectation)) return 'right';
    if (host?.bars && leadsThrough(view.a, host.name)) return 'wrong';
    const label = labelIn(view.a, expectation);
    if (label !== null && !expectation.targets.includes(label)) return 'wrong';
    if (label !== null && !is_apex) return leadsAstray(view.aaaa, expectation) ? 'wrong' : 'right';
  }
  const parts = [hasOwnAddresses(view, expectation), hasProof(view.txt, expectation)];
  if (parts.includes(false)) return 'wrong';
  return parts.includes(null) ? 'unknown' : 'right';
}

/**
 * Returns the app's CNAME target or its white-label host, whichever comes first in the CNAME chain. Returns null in three cases: the
 * records are not right, the hostname is an apex, or the CNAME was flattened.
 */
export function routedThrough(view: NameView, expectation: DnsExpectation): string | null {
  if (viewOutcome(view, expectation) !== 'right') return null;
  const { targets, host } = expectation;
  return firstTarget(view.a, host?.accepted ? [...targets, host.name] : targets);
}

/** Returns true if at least one resolver was asked and all resolvers return the right records. Such a check confirms a domain. */
export function rightEverywhere(views: readonly NameView[], expectation: DnsExpectation): boolean {
  return views.length > 0 && views.every((view) => viewOutcome(view, expectation) === 'right');
}

/** Number of resolvers that must agree that a record is gone. */
const AGREEING = 2;

/** Returns true if enough resolvers show that the record is gone or points elsewhere. */
export function isRecordGone(views: readonly NameView[], expectation: DnsExpectation): boolean {
  return views.filter((view) => viewOutcome(view, expectation) === 'wrong').length >= AGREEING;
}

/** Returns true if more resolvers return the right records than wrong ones. A live domain then keeps its status. */
export function isRightMostly(views: readonly NameView[], expectation: DnsExpectation): boolean {
  const outcomes = views.map((view) => viewOutcome(view, expectation));
  const count = (outcome: ViewOutcome) => outcomes.filter((each) => each === outcome).length;
  return count('right') > count('wrong');
}

/** Returns true if at least one server returns the right records and no server returns wrong ones. */
export function isSeenAndUncontested(views: readonly NameView[], expectation: DnsExpectation): boolean {
  const outcomes = views.map((view) => viewOutcome(view, expectation));
  return outcomes.includes('right') && !outcomes.includes('wrong');
}

/**
 * Returns true if the lookup found a record, or shows for certain that there is none (RFC 2308). A CNAME loop is a definite result too,
 * because another lookup would not help.
 */
export function isDefinite({ outcome, failure }: Lookup): boolean {
  return outcome !== 'unknown' || failure === 'loop';
}

/** Returns true if one of this server's lookups failed for one of the given reasons. */
export function failsBy({ a, aaaa, txt }: NameView, failures: readonly LookupFailure[]): boolean {
  return [a, aaaa, txt].some(
    (lookup) => lookup !== null && lookup.failure !== null && failures.includes(lookup.failure),
  );
}

/** Returns the first CNAME value in the chain that is one of the targets. */
export function firstTarget({ records }: Lookup, targets: readonly string[]): string | null {
  return records.find(({ type, value }) => type === 'CNAME' && targets.includes(value))?.value ?? null;
}

/**
 * Returns the first name in the CNAME chain that has the form of an app's CNAME target, even if no app has this target. Returns null if the
 * chain contains no such name.
 */
export function labelIn({ records }: Lookup, expectation: DnsExpectation): string | null {
  return records.find(({ type, value }) => type === 'CNAME' && isLabel(value, expectation))?.value ?? null;
}

/** Returns whether a name has the form of an app's CNAME target: it is in the edge zone. There may be no app with this target. */
export function isLabel(name: string, { edgeZone, targets }: DnsExpectation): boolean {
  return edgeZone === undefined ? targets.includes(name) : name.endsWith(`.${edgeZone}`);
}

/**
 * Returns whether the CNAME chain leads to this domain: the chain contains the app's CNAME target, or a white-label host that keeps the
 * domain live.
 */
export function reaches(lookup: Lookup, expectation: DnsExpectation): boolean {
  const label = labelIn(lookup, expectation);
  return isKept(lookup, expectation) || (label !== null && expectation.targets.includes(label));
}

function isKept(lookup: Lookup, { host }: DnsExpectation): boolean {
  return host?.keeps === true && leadsThrough(lookup, host.name);
}

/** Returns whether a CNAME chain contains a name. */
export function leadsThrough({ records }: Lookup, name: string): boolean {
  return records.some(({ type, value }) => type === 'CNAME' && value === name);
}

/** Normalizes an address, so that different spellings of it are equal. */
export function canonicalAddress(ip: string): string {
  return ipaddr.isValid(ip) ? ipaddr.parse(ip).toNormalizedString() : ip;
}

/** The answer to a yes-or-no question; null if the lookups do not show the answer. */
type Told = boolean | null;

/** Returns whether the name has our addresses and no others. AAAA may be missing, or A if the edge has only IPv6. */
function hasOwnAddresses({ a, aaaa }: NameView, expectation: DnsExpectation): Told {
  const { edgeIpv4, edgeIpv6 } = expectation;
  const told = [
    ownAddresses(a, 'A', edgeIpv4, expectation),
    ownAddresses(aaaa, 'AAAA', edgeIpv6, expectation),
  ];
  if (told.includes(false)) return false;
  return told.includes(null) ? null : true;
}

function ownAddresses(
  lookup: Lookup | null,
  type: LookupType,
  own: readonly string[],
  expectation: DnsExpectation,
): Told {
  if (lookup === null || !isDefinite(lookup)) return null;
  // The CNAME chain leads into the edge zone. We control the addresses in this zone, so they need no check.
  if (labelIn(lookup, expectation) !== null) return true;
  const { proxies = [], silentProxies = [] } = expectation;
  const known = new Set([...own, ...proxies].map(canonicalAddress));
  const silent = new Set(silentProxies.map(canonicalAddress));
  const found = lookup.records
    .filter((record) => record.type === type)
    .map(({ value }) => canonicalAddress(value));
  if (found.length === 0) return type !== neededAddressType(expectation);
  const others = found.filter((address) => !known.has(address));
  if (others.length === 0) return true;
  return others.every((address) => silent.has(address)) ? null : false;
}

/**
 * Returns whether a name with a CNAME to us also has its own AAAA record that is not ours. DNS forbids such a zone, but some servers accept
 * it.
 */
function leadsAstray(aaaa: Lookup | null, expectation: DnsExpectation): boolean {
  const isThere = aaaa?.records.some(({ type }) => type === 'AAAA') ?? false;
  return isThere && ownAddresses(aaaa, 'AAAA', expectation.edgeIpv6, expectation) === false;
}

function hasProof(txt: Lookup | null, { txt_value, txtRequired }: DnsExpectation): Told {
  if (!txtRequired) return true;
  if (txt === null || !isDefinite(txt)) return null;
  return txt.records.some(({ type, value }) => type === 'TXT' && value === txt_value);
}

/** Returns a hostname's addresses from all servers of a survey, without our own addresses and those of known proxies. */
export function foreignAddresses(
  { authorities, resolvers }: Pick<DnsSurvey, 'authorities' | 'resolvers'>,
  expectation: DnsExpectation,
): string[] {
  const { edgeIpv4, edgeIpv6, proxies = [] } = expectation;
  const known = new Set([...edgeIpv4, ...edgeIpv6, ...proxies].map(canonicalAddress));
  const found = new Set<string>();
  for (const { a, aaaa } of [...authorities, ...resolvers]) {
    for (const lookup of aaaa === null ? [a] : [a, aaaa]) {
      // The CNAME chain leads into the edge zone. We control the addresses in this zone, so they need no check.
      if (!isDefinite(lookup) || labelIn(lookup, expectation) !== null) continue;
      for (const { type, value } of lookup.records) {
        const address = canonicalAddress(value);
        if ((type === 'A' || type === 'AAAA') && !known.has(address)) found.add(address);
      }
    }
  }
  return [...found].toSorted();
}
