import { canonicalAddress, isDefinite, reaches } from '../dns-confirmation.ts';
import { type DnsExpectation, neededAddressType } from '../dns-expectation.ts';
import type { Lookup, NameView } from '../dns-survey.ts';

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
