import type { DnsExpectation } from '../../core/dns/dns-expectation.ts';
import type { DnsSurvey } from '../../core/dns/dns-survey.ts';
import { foreignAddresses } from '../../core/dns/foreign-addresses.ts';
import type { Domain } from '../../core/domains/domain.ts';
import type { Status } from '../../core/domains/status.ts';
import { MINUTE_MS } from '../../core/instant.ts';
import type { PublicPath } from '../../core/public-path/public-path.ts';
import type { Dns, SurveyDepth } from '../../ports/dns.ts';
import type { PathProbe } from '../../ports/path-probe.ts';
import { findNewestCertificate } from '../../store/certificates/certificates.ts';
import { findDnsCheck } from '../../store/domains/dns-checks.ts';
import type { Context } from '../context.ts';

/** Statuses that wait for a record. No resolver is asked until the zone's own servers are right (decisions/0013). */
export const AWAITING_PROOF: ReadonlySet<Status> = new Set(['pending_dns', 'verifying', 'dns_broken']);

/** A survey, and the expectation that it is compared with. */
export interface Surveyed {
  survey: DnsSurvey;
  expectation: DnsExpectation;
}

/**
 * Looks up a domain's records. If they lead to others' addresses, a proxy there may lead here: follows the public path. If it does, its
 * addresses count as ours, and the records are looked up again, because the resolvers must confirm the TXT record.
 */
export async function surveyWithPath(
  context: Context,
  dns: Dns,
  domain: Domain,
  { expectation, depth }: { expectation: DnsExpectation; depth: SurveyDepth },
): Promise<Surveyed> {
  const survey = await dns.survey(expectation, depth);
  // The zone's own servers have no old record. Without them, all that is seen has to lead here.
  const own = foreignAddresses({ ...survey, resolvers: [] }, expectation);
  const addresses = own.length > 0 ? own : foreignAddresses(survey, expectation);
  if (context.pathProbe === null || !expectation.allowsProxies || addresses.length === 0)
    return { survey, expectation };
  const follow = follower(context, context.pathProbe, domain);
  const path = await follow(addresses);
  if (!path.leads_here) {
    const silentProxies = (await wasProxied(context, domain, path)) ? addresses : [];
    return { survey: { ...survey, path }, expectation: { ...expectation, silentProxies } };
  }
  // Addresses alone prove no ownership, and neither does a delegation of challenges prove that of a proxy.
  const txtRequired = expectation.txtRequired || AWAITING_PROOF.has(domain.status);
  const proven = { ...expectation, txtRequired, proxies: addresses };
  const again = await dns.survey(proven, depth);
  // A CDN returns different addresses to each server. An old record that a resolver still has does not lead here.
  const more = foreignAddresses(again, proven);
  const rest = more.length === 0 ? null : await follow(more);
  const proxies = rest?.leads_here ? [...addresses, ...more] : addresses;
  return { survey: { ...again, path: { ...path, addresses: proxies } }, expectation: { ...proven, proxies } };
}

/** A path that does not lead here is probed this often. Checks of a new domain are more frequent. */
const REPROBE_MS = MINUTE_MS;

function follower(context: Context, probe: PathProbe, domain: Domain) {
  return async (addresses: readonly string[]): Promise<PublicPath> => {
    const check = await findDnsCheck(context.store, domain.id);
    const known = check?.path ?? null;
    const isRecent = known !== null && context.clock.now() - known.probed_at < REPROBE_MS;
    if (isRecent && !known.leads_here && isSameSet(known.addresses, addresses)) return known;
    return probe.follow(domain.hostname, addresses, await servedSerial(context, domain));
  };
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one.toSorted()) === JSON.stringify(other.toSorted());
}

/** Returns the serial number of the certificate that our edge serves. While it is new, the edge may not have it yet. */
async function servedSerial({ store, clock }: Context, domain: Domain): Promise<string | null> {
  if (domain.status === 'issuing') return null;
  const certificate = await findNewestCertificate(store, domain.id);
  return certificate !== null && certificate.not_after > clock.now() ? certificate.serial : null;
}

/** Returns whether a live domain's proxy led here and now fails. Its failure is no evidence that the record was changed. */
async function wasProxied(
  { store }: Context,
  domain: Domain,
  { hop, https_fails }: PublicPath,
): Promise<boolean> {
  if (AWAITING_PROOF.has(domain.status) || (hop !== 'unreachable' && !https_fails)) return false;
  return (await findDnsCheck(store, domain.id))?.path?.led_here ?? false;
}
