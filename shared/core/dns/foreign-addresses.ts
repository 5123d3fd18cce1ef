import { canonicalAddress, isDefinite, labelIn } from './dns-confirmation.ts';
import type { DnsExpectation } from './dns-expectation.ts';
import type { DnsSurvey } from './dns-survey.ts';

/** Returns the addresses at a hostname that are neither ours nor those of a known proxy, in every view of a survey. */
export function foreignAddresses(
  { authorities, resolvers }: Pick<DnsSurvey, 'authorities' | 'resolvers'>,
  expectation: DnsExpectation,
): string[] {
  const { edgeIpv4, edgeIpv6, proxies = [] } = expectation;
  const known = new Set([...edgeIpv4, ...edgeIpv6, ...proxies].map(canonicalAddress));
  const found = new Set<string>();
  for (const { a, aaaa } of [...authorities, ...resolvers]) {
    for (const lookup of aaaa === null ? [a] : [a, aaaa]) {
      // We control the addresses of our labels.
      if (!isDefinite(lookup) || labelIn(lookup, expectation) !== null) continue;
      for (const { type, value } of lookup.records) {
        const address = canonicalAddress(value);
        if ((type === 'A' || type === 'AAAA') && !known.has(address)) found.add(address);
      }
    }
  }
  return [...found].toSorted();
}
