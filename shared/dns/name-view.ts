import { canonicalAddress, isDefinite, labelIn, reaches } from '../core/dns/dns-confirmation.ts';
import type { DnsExpectation } from '../core/dns/dns-expectation.ts';
import type { Lookup, LookupType, NameView } from '../core/dns/dns-survey.ts';

/**
 * Asks one server about a hostname. It sends few questions: most checks of a subdomain send each resolver one.
 * @param seeksAaaa whether to look for AAAA records also at a name that leads to us by a CNAME. Some of the zones' own servers have both.
 */
export async function viewName(
  server: string,
  ask: (name: string, type: LookupType) => Promise<Lookup>,
  expectation: DnsExpectation,
  seeksAaaa = false,
): Promise<NameView> {
  const { hostname, txtName, is_apex, ignoresTxt } = expectation;
  const rest = () => Promise.all([ask(hostname, 'AAAA'), ignoresTxt ? null : ask(txtName, 'TXT')]);
  if (is_apex) {
    const [a, [aaaa, txt]] = await Promise.all([ask(hostname, 'A'), rest()]);
    return { server, a, aaaa, txt };
  }
  const a = await ask(hostname, 'A');
  if (!mayBeFlattened(a, expectation)) {
    const aaaa = seeksAaaa && reaches(a, expectation) ? await ask(hostname, 'AAAA') : null;
    return { server, a, aaaa, txt: null };
  }
  const [aaaa, txt] = await rest();
  return { server, a, aaaa, txt };
}

/**
 * Returns whether the name may have addresses in place of our CNAME. They may be at the name itself, or at the end of a chain of the customer's
 * own or of a proxy.
 */
function mayBeFlattened(a: Lookup, expectation: DnsExpectation): boolean {
  const { edgeIpv4, proxies = [] } = expectation;
  if (!isDefinite(a) || a.outcome === 'nxdomain') return false;
  if (labelIn(a, expectation) !== null || reaches(a, expectation)) return false;
  const own = [...edgeIpv4, ...proxies].map(canonicalAddress);
  return (
    a.records.every(({ type }) => type !== 'CNAME') ||
    a.records.some(({ type, value }) => type === 'A' && own.includes(canonicalAddress(value)))
  );
}
