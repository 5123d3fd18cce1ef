import { findProvider } from '../../providers/find-provider.ts';
import type { DnsExpectation } from '../dns-expectation.ts';
import type { Finding } from '../dns-finding.ts';
import type { DnsSurvey } from '../dns-survey.ts';
import { weigh } from './evidence.ts';
import { ourAddresses } from './expected-record.ts';
import { makeFinding } from './make-finding.ts';
import { panelName } from './panel-name.ts';
import { seenIn } from './seen.ts';
import { nameServers } from './zone.ts';

/**
 * Reports a CNAME at the top of a zone, where SOA and NS exist and a CNAME must not (RFC 1034 section 3.6.2). This applies to a CNAME that
 * exists and that the provider does not replace with addresses. It also applies if we would have to ask for one, because the hostname is a
 * zone of its own.
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
  const wouldBeAsked =
    !is_apex && found === null && noAddress && (provider?.apex ?? 'addresses') === 'addresses';
  if (!standsThere && !wouldBeAsked) return [];
  const record = { type: 'CNAME', name: panelName(hostname, survey, expectation) };
  return [makeFinding('dns_apex_cname', record, { expected: ourAddresses(expectation), found })];
}
