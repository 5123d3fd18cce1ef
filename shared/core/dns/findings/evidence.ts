import { canonicalAddress, isDefinite, reaches, viewOutcome } from '../dns-confirmation.ts';
import { type DnsExpectation, neededAddressType } from '../dns-expectation.ts';
import type { DnsSurvey, Lookup, NameView } from '../dns-survey.ts';

/** The views of a survey, compared with each other. Each view is in at most one list. Right views are in none. */
export interface Evidence {
  /** Views that count and show a wrong record. */
  wrong: readonly NameView[];
  /** Authoritative servers that lack the right record while others have it. */
  lagging: readonly NameView[];
  /** Resolvers that still return an old answer, though the zone is right. */
  stale: readonly NameView[];
  /** Servers that could not be asked, but whose answer would have counted. */
  unasked: readonly NameView[];
}

/**
 * Compares the views. The zone's own servers decide, whatever a cache says. If none of them could be asked, the resolvers count instead,
 * provided that more of them find the record wrong than right. A CNAME that leads elsewhere is wrong even if its target does not resolve.
 */
export function weigh(survey: DnsSurvey, expectation: DnsExpectation): Evidence {
  const own = sortViews(survey.authorities, expectation);
  const caches = sortViews(survey.resolvers, expectation);
  const told = own.right.length + own.wrong.length + own.astray.length > 0;
  const unasked = survey.resolvers.length === 0 && !told ? own.unknown : caches.unknown;
  const none = { wrong: [], lagging: [], stale: [], unasked };
  if (own.right.length > 0) return { ...none, lagging: own.wrong, stale: caches.wrong };
  if (own.wrong.length > 0) return { ...none, wrong: own.wrong };
  if (own.astray.length > 0) return { ...none, wrong: own.astray, unasked: [] };
  const outvoted = caches.wrong.length > caches.right.length;
  return outvoted ? { ...none, wrong: caches.wrong } : { ...none, stale: caches.wrong };
}

interface SortedViews {
  right: NameView[];
  wrong: NameView[];
  /** Views with a CNAME that is not ours and whose target could not be looked up. They explain a problem, but do not change the status. */
  astray: NameView[];
  unknown: NameView[];
}

function sortViews(views: readonly NameView[], expectation: DnsExpectation): SortedViews {
  const sorted: SortedViews = { right: [], wrong: [], astray: [], unknown: [] };
  for (const view of views) {
    const outcome = viewOutcome(view, expectation);
    sorted[outcome === 'unknown' && isAstray(view, expectation) ? 'astray' : outcome].push(view);
  }
  return sorted;
}

function isAstray({ a }: NameView, { targets }: DnsExpectation): boolean {
  return a.records.some(({ type, value }) => type === 'CNAME' && !targets.includes(value));
}

/** The values at a name, divided into ours and others. */
export interface Seen {
  /** Values of the CNAMEs, in order. */
  chain: readonly string[];
  /** Whether the chain includes the app's own label, or a white-label host that keeps the domain. */
  reaches: boolean;
  ours: readonly string[];
  othersV4: readonly string[];
  othersV6: readonly string[];
  /** Whether it is certain that the name has no address of the type that our edge needs. */
  noAddress: boolean;
}

export function seenIn({ a, aaaa }: NameView, expectation: DnsExpectation): Seen {
  return see([a, ...(aaaa === null ? [] : [aaaa])], expectation);
}

/** Returns true if a lookup leads to us, by a CNAME or by addresses that are all ours. */
export function leadsToUs(lookup: Lookup, expectation: DnsExpectation): boolean {
  const { reaches: isReached, ours, othersV4, othersV6 } = see([lookup], expectation);
  return isReached || (ours.length > 0 && othersV4.length + othersV6.length === 0);
}

function see(lookups: readonly Lookup[], expectation: DnsExpectation): Seen {
  const { edgeIpv4, edgeIpv6, proxies = [] } = expectation;
  const records = lookups.flatMap((each) => each.records);
  const valuesOf = (type: string) => [
    ...new Set(records.filter((record) => record.type === type).map(({ value }) => value)),
  ];
  const edge = new Set([...edgeIpv4, ...edgeIpv6, ...proxies].map(canonicalAddress));
  const isOurs = (address: string) => edge.has(canonicalAddress(address));
  const needed = neededAddressType(expectation);
  const chain = valuesOf('CNAME');
  const v4 = valuesOf('A');
  const v6 = valuesOf('AAAA');
  return {
    chain,
    reaches: lookups.some((lookup) => reaches(lookup, expectation)),
    ours: [...v4, ...v6].filter(isOurs),
    othersV4: v4.filter((address) => !isOurs(address)),
    othersV6: v6.filter((address) => !isOurs(address)),
    noAddress:
      (needed === 'A' ? v4 : v6).length === 0 &&
      lookups.some((each) => each.type === needed && isDefinite(each)),
  };
}
