import ipaddr from 'ipaddr.js';
import { type DnsExpectation, neededAddressType } from './dns-expectation.ts';
import type { Lookup, LookupType, NameView } from './dns-survey.ts';

/** Whether what a server sees is what the domain needs. `unknown` is evidence of nothing. */
export type ViewOutcome = 'right' | 'wrong' | 'unknown';

/**
 * Right and wrong come from definite look-ups only (`docs/domains.md`). A subdomain needs a CNAME chain to a target; an apex, and a
 * subdomain whose record was flattened, our addresses and no others, and the TXT that proves who added it while that is required.
 */
export function viewOutcome(view: NameView, expectation: DnsExpectation): ViewOutcome {
  const { is_apex, targets } = expectation;
  if (!is_apex && !isDefinite(view.a)) return 'unknown';
  if (!is_apex && firstTarget(view.a, targets) !== null) return 'right';
  const parts = [hasOwnAddresses(view, expectation), hasProof(view.txt, expectation)];
  if (parts.includes(false)) return 'wrong';
  return parts.includes(null) ? 'unknown' : 'right';
}

/** The target that a right view points through: the first on its chain; null where the record was flattened, or is an apex domain's. */
export function routedThrough(view: NameView, expectation: DnsExpectation): string | null {
  if (viewOutcome(view, expectation) !== 'right') return null;
  return firstTarget(view.a, expectation.targets);
}

/** As a domain is confirmed: somebody was asked, and all of them say so. */
export function rightEverywhere(views: readonly NameView[], expectation: DnsExpectation): boolean {
  return views.length > 0 && views.every((view) => viewOutcome(view, expectation) === 'right');
}

/** How many must agree that a record is gone. */
const AGREEING = 2;

/** Gone or elsewhere: so many say so that it can be taken for true. */
export function isRecordGone(views: readonly NameView[], expectation: DnsExpectation): boolean {
  return views.filter((view) => viewOutcome(view, expectation) === 'wrong').length >= AGREEING;
}

/** More see it than miss it: that keeps a live domain live. */
export function isRightMostly(views: readonly NameView[], expectation: DnsExpectation): boolean {
  const outcomes = views.map((view) => viewOutcome(view, expectation));
  const count = (outcome: ViewOutcome) => outcomes.filter((each) => each === outcome).length;
  return count('right') > count('wrong');
}

/** Right as a whole: somebody could be asked, somebody says so, and nobody says otherwise. */
export function allRight(views: readonly NameView[], expectation: DnsExpectation): boolean {
  const outcomes = views.map((view) => viewOutcome(view, expectation));
  return outcomes.includes('right') && !outcomes.includes('wrong');
}

/** An answer or a definite no (RFC 2308). A chain that runs in a circle was seen whole: it leads nowhere, and asking again won't help. */
export function isDefinite({ outcome, failure }: Lookup): boolean {
  return outcome !== 'unknown' || failure === 'loop';
}

/** The first name of the chain that is one of these. */
export function firstTarget({ records }: Lookup, targets: readonly string[]): string | null {
  return records.find(({ type, value }) => type === 'CNAME' && targets.includes(value))?.value ?? null;
}

/** An address as all its spellings have it in common. */
export function canonicalAddress(ip: string): string {
  return ipaddr.isValid(ip) ? ipaddr.parse(ip).toNormalizedString() : ip;
}

/** Null where it could not be told. */
type Told = boolean | null;

/** Ours and no others. A missing AAAA does not block, a foreign one does. */
function hasOwnAddresses({ a, aaaa }: NameView, expectation: DnsExpectation): Told {
  const { edge_ipv4, edge_ipv6 } = expectation;
  const told = [
    ownAddresses(a, 'A', edge_ipv4, expectation),
    ownAddresses(aaaa, 'AAAA', edge_ipv6, expectation),
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
  // Where a chain reaches a target it is not followed further: what the target's addresses are is ours to say.
  if (firstTarget(lookup, expectation.targets) !== null) return true;
  const known = new Set(own.map(canonicalAddress));
  const found = lookup.records.filter((record) => record.type === type);
  return (
    found.every(({ value }) => known.has(canonicalAddress(value))) &&
    (found.length > 0 || type !== neededAddressType(expectation))
  );
}

function hasProof(txt: Lookup | null, { txt_value, txt_required }: DnsExpectation): Told {
  if (!txt_required) return true;
  if (txt === null || !isDefinite(txt)) return null;
  return txt.records.some(({ type, value }) => type === 'TXT' && value === txt_value);
}
