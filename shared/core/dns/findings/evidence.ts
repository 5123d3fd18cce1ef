import { canonicalAddress, isDefinite, reaches, viewOutcome } from '../dns-confirmation.ts';
import { type DnsExpectation, neededAddressType } from '../dns-expectation.ts';
import type { DnsSurvey, Lookup, NameView } from '../dns-survey.ts';

/**
 * The servers of a survey, sorted by what their responses show. A server is in at most one list, or in no list if its records are right.
 */
export interface Evidence {
  /** Servers that return a wrong record: servers of the zone or, if none of them has an answer, resolvers. */
  wrong: readonly NameView[];
  /** Authoritative servers that lack the right record while other servers of the zone have it. */
  lagging: readonly NameView[];
  /** Resolvers that still return an old answer, although the record is right. */
  stale: readonly NameView[];
  /** Servers that did not respond, although their response was needed. */
  unasked: readonly NameView[];
}

/**
 * Compares what the servers returned. The zone's own servers decide, even if resolvers have other answers in their caches. If no server of
 * the zone has an answer, the resolvers decide, but only if more of them return a wrong record than the right one. A CNAME that leads
 * elsewhere is wrong even if its target cannot be looked up.
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
  /**
   * Servers that return a CNAME to a name that is not ours and that could not be looked up. They explain a problem, but do not change the
   * status.
   */
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

/** The records at a name, with our addresses and other addresses in separate lists. */
export interface Seen {
  /** Values of the CNAMEs, in order. */
  chain: readonly string[];
  /** Whether the chain contains the app's CNAME target, or a white-label host that keeps the domain live. */
  reaches: boolean;
  ours: readonly string[];
  othersV4: readonly string[];
  othersV6: readonly string[];
  /** Whether the name certainly has no address of the type that our edge needs. */
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
