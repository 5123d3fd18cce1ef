import { foreignAddresses, routedThrough, viewOutcome } from '../../core/dns/dns-confirmation.ts';
import type { DnsSurvey } from '../../core/dns/dns-survey.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { type Claimant, type Found, inView, mayBeDelegated } from '../../core/domains/ownership.ts';
import type { Status } from '../../core/domains/status.ts';
import type { DomainId } from '../../core/ids.ts';
import { MINUTE_MS } from '../../core/instant.ts';
import type { PublicPath } from '../../core/public-path/public-path.ts';
import type { Dns, SurveyDepth } from '../../ports/dns.ts';
import type { PathProbe } from '../../ports/outbound.ts';
import { findNewestCertificate } from '../../store/certificates/certificates.ts';
import { findDelegated } from '../certificates/delegated-challenges.ts';
import type { Context } from '../context.ts';
import type { HostnameClaim, HostnameClaims } from './hostname-claimants.ts';

/**
 * Statuses of domains that wait for their record. Resolvers are queried only once the zone's own servers have the right record
 * (decisions/0013).
 */
export const AWAITING_PROOF: ReadonlySet<Status> = new Set(['pending_dns', 'verifying', 'dns_broken']);

/** A survey of a hostname's records, and the proxies and delegated challenges that were found for the hostname. */
export interface Surveyed {
  survey: DnsSurvey;
  found: Found;
}

/**
 * Surveys a live domain. If no other domain claims the hostname and the last check found no problem, first queries one of the zone's
 * servers. If that server has the same record as before, no answer of a resolver could change the result, so the survey ends. Otherwise
 * queries the resolvers.
 */
export async function surveyLive(
  context: Context,
  dns: Dns,
  own: HostnameClaim,
  claims: HostnameClaims,
): Promise<Surveyed> {
  const { domain, expectation, check, unchecked_since } = own;
  const isAlone = claims.claimants.length === 1 && claims.holder?.domain.id === domain.id;
  const wasWell =
    check !== null && check.missed_at === null && check.path === null && check.findings.length === 0;
  if (isAlone && wasWell && unchecked_since === null) {
    const survey = await dns.survey(expectation, 'zone');
    const [view] = survey.authorities;
    const leadsHere =
      view !== undefined &&
      viewOutcome(view, expectation) === 'right' &&
      routedThrough(view, expectation) === domain.routed_through;
    if (leadsHere) return { survey, found: { proxies: [], silent: null, delegated: new Set() } };
  }
  return surveyHostname(context, dns, own, claims, 'again');
}

/**
 * Looks up a hostname's records once, for all of its domains. If a claimant lacks only the TXT record, also looks up whether the challenges
 * are delegated, because delegation can prove ownership instead.
 * @param own the domain that is being checked.
 */
export async function surveyHostname(
  context: Context,
  dns: Dns,
  own: HostnameClaim,
  claims: HostnameClaims,
  depth: SurveyDepth,
): Promise<Surveyed> {
  const { claimants, holder } = claims;
  const surveyed = await surveyWithPath(context, dns, own, claims, { depth, delegated: new Set() });
  if (surveyed.survey.path?.leads_here) return surveyed;
  const views = [...surveyed.survey.authorities, ...surveyed.survey.resolvers];
  const lacksProofOnly = ({ expectation }: Claimant) =>
    views.some(
      (view) =>
        viewOutcome(view, { ...expectation, txtRequired: false }) === 'right' &&
        viewOutcome(view, expectation) === 'wrong',
    );
  const asked = claimants.filter((each) => mayBeDelegated(each, holder) && lacksProofOnly(each));
  const delegated = await findDelegated(
    context,
    asked.map((each) => each.domain),
    own.expectation.hostname,
  );
  if (delegated === null) return surveyed;
  return surveyWithPath(context, dns, own, claims, { depth, delegated: new Set([delegated.id]) });
}

/**
 * Looks up a hostname's records. If the records point to addresses that are not ours, the customer may have a proxy in front of us, so this
 * sends a request to these addresses. If the request reaches our edge, the records are looked up again, because resolvers must confirm the
 * TXT record.
 */
async function surveyWithPath(
  context: Context,
  dns: Dns,
  own: HostnameClaim,
  { claimants, holder }: HostnameClaims,
  { depth, delegated }: { depth: SurveyDepth; delegated: ReadonlySet<DomainId> },
): Promise<Surveyed> {
  const { domain } = own;
  const surveyIn = (found: Found) => {
    const expects = (each: Claimant) => inView(each, holder, found).expectation;
    const rivals = claimants.filter((each) => each.domain.id !== domain.id).map(expects);
    // The survey accepts the addresses of the proxy even if only the app of another claimant allows proxies.
    return dns.survey({ ...expects(own), proxies: found.proxies }, depth, rivals);
  };
  const found: Found = { proxies: [], silent: null, delegated };
  const survey = await surveyIn(found);
  const { expectation } = own;
  // Takes the addresses from the zone's own servers, which have no outdated record. If these servers give no addresses, takes the addresses
  // from resolvers.
  const atZone = foreignAddresses({ ...survey, resolvers: [] }, expectation);
  const addresses = atZone.length > 0 ? atZone : foreignAddresses(survey, expectation);
  const allowed = claimants.some((each) => each.expectation.allowsProxies);
  if (context.pathProbe === null || !allowed || addresses.length === 0) return { survey, found };
  const follow = follower(context, context.pathProbe, own);
  const path = await follow(addresses);
  if (!path.leads_here) {
    const silent = wasProxied(own, path) ? { id: domain.id, addresses } : null;
    return { survey: { ...survey, path }, found: { ...found, silent } };
  }
  const again = await surveyIn({ ...found, proxies: addresses });
  // A CDN may return different addresses to each server. Probes the further addresses too, because they may instead come from an outdated
  // record in a resolver's cache.
  const more = foreignAddresses(again, { ...expectation, proxies: addresses });
  const rest = more.length === 0 ? null : await follow(more);
  const proxies = rest?.leads_here ? [...addresses, ...more] : addresses;
  return { survey: { ...again, path: { ...path, addresses: proxies } }, found: { ...found, proxies } };
}

/** Minimum time between two probes of the same addresses if no request reached us. DNS checks of a new domain run more often than this. */
const REPROBE_MS = MINUTE_MS;

function follower(context: Context, probe: PathProbe, { domain, check }: HostnameClaim) {
  return async (addresses: readonly string[]): Promise<PublicPath> => {
    const known = check?.path ?? null;
    const isRecent = known !== null && context.clock.now() - known.probed_at < REPROBE_MS;
    if (isRecent && !known.leads_here && isSameSet(known.addresses, addresses)) return known;
    return probe.follow(domain.hostname, addresses, await servedSerial(context, domain));
  };
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one.toSorted()) === JSON.stringify(other.toSorted());
}

/** Returns the serial number of the certificate that our edge serves. Null if there is none, or if the edge may not serve it yet. */
async function servedSerial({ store, clock }: Context, domain: Domain): Promise<string | null> {
  if (domain.status === 'issuing') return null;
  const certificate = await findNewestCertificate(store, domain.id);
  return certificate !== null && certificate.not_after > clock.now() ? certificate.serial : null;
}

/**
 * Returns whether requests to a live domain came through a proxy that now fails. A failing proxy does not prove that the customer changed
 * the record.
 */
function wasProxied({ domain, check }: HostnameClaim, { hop, https_fails }: PublicPath): boolean {
  if (AWAITING_PROOF.has(domain.status) || (hop !== 'unreachable' && !https_fails)) return false;
  return check?.path?.led_here ?? false;
}
