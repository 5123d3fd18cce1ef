import { isRightMostly } from '../../core/dns/dns-confirmation.ts';
import type { DnsExpectation } from '../../core/dns/dns-expectation.ts';
import { detailOf, type Finding } from '../../core/dns/dns-finding.ts';
import { dnsProgress } from '../../core/dns/dns-progress.ts';
import type { DnsSurvey } from '../../core/dns/dns-survey.ts';
import { type Verdict, verdict } from '../../core/dns/dns-verdict.ts';
import { findRival } from '../../core/dns/findings/rival.ts';
import { nameServers } from '../../core/dns/findings/zone.ts';
import { scheduledChecks } from '../../core/domains/cadence.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { type Claimant, inView, winnerOf } from '../../core/domains/ownership.ts';
import { windowEndsAt } from '../../core/domains/schedule.ts';
import type { Trigger } from '../../core/domains/transition.ts';
import type { Instant } from '../../core/instant.ts';
import { isOneClickDue, type OneClickAnswer } from '../../core/providers/one-click.ts';
import { getApp } from '../../store/accounts/apps.ts';
import { type DnsCheck, findDnsCheck, type KnownPath, saveDnsCheck } from '../../store/domains/dns-checks.ts';
import { findDomainById, saveDomain } from '../../store/domains/domains.ts';
import { type DomainJob, holdsJob } from '../../store/jobs/jobs.ts';
import { resumeOrder } from '../certificates/orders/suspend-order.ts';
import { applyTarget } from '../connect/one-click-link.ts';
import { type Context, transact } from '../context.ts';
import { claimHostname } from '../domains/claim-hostname.ts';
import { findCustomerAddresses } from '../domains/customer-target.ts';
import { recordTransition } from '../domains/record-transition.ts';
import { startHostCheck } from './check-whitelabel.ts';
import { type HostnameClaims, readClaims } from './hostname-claimants.ts';
import { AWAITING_PROOF, type Surveyed, surveyHostname } from './survey-path.ts';

/**
 * Looks up a domain's records, outside any transaction, and records the outcome (`docs/domains.md`, checks). The same survey decides which
 * domain of the hostname holds it (`shared/decisions/0066`).
 * @returns when the next check is due. Null if a transition scheduled it, or if there is nothing left to check.
 */
export async function checkDns(context: Context, job: DomainJob): Promise<Instant | null> {
  const { dns, store } = context;
  const before = await findDomainById(store, job.subject_id);
  if (dns === null || before === null) return null;
  const basis = await readClaims(context, before.hostname);
  const own = ownClaim(basis, before);
  if (own === null) return null;
  const depth = AWAITING_PROOF.has(own.domain.status) ? 'first' : 'again';
  const surveyed = await surveyHostname(
    context,
    dns,
    await withoutIdleLookups(context, own, basis),
    basis,
    depth,
  );
  const oneClick = await askOneClick(context, before, surveyed.survey);
  return transact(context, async (tx) => {
    const claims = await readClaims(tx, before.hostname);
    const claim = ownClaim(claims, before);
    if (claim === null || !(await holdsJob(tx.store, job))) return null;
    // If the holder or this domain's own expectation changed during the lookup, the result proves nothing, so the check runs again. Other
    // domains are judged by what they expect now: their apps could otherwise change it at each lookup, and no check would ever end.
    if (claims.holder?.domain.id !== basis.holder?.domain.id || !expectsSame(own, claim))
      return tx.clock.now();
    return judge(tx, claim, claims, surveyed, oneClick);
  });
}

function ownClaim({ claimants }: HostnameClaims, { id }: Domain): Claimant | null {
  return claimants.find(({ domain }) => domain.id === id) ?? null;
}

function expectsSame(one: Claimant, other: Claimant): boolean {
  const facts = ({ expectation }: Claimant) => JSON.stringify({ ...expectation, otherProofs: [] });
  return facts(one) === facts(other);
}

/** Leaves the TXT record out of the survey of a live domain, if no other domain has the hostname and no proxy stands in front of us. */
async function withoutIdleLookups(
  { store }: Context,
  own: Claimant,
  { claimants }: HostnameClaims,
): Promise<Claimant> {
  const { domain, expectation } = own;
  if (expectation.txtRequired || claimants.length > 1 || domain.routed_through !== null) return own;
  const isProxied = (await findDnsCheck(store, domain.id))?.path?.led_here ?? false;
  return isProxied ? own : { ...own, expectation: { ...expectation, ignoresTxt: true } };
}

/** Gives the hostname to the domain that the survey names, then records the outcome of the check for the domain that it was made for. */
async function judge(
  tx: Context,
  own: Claimant,
  claims: HostnameClaims,
  { survey, found }: Surveyed,
  oneClick: OneClickAnswer | null,
): Promise<Instant | null> {
  const seen = (claimant: Claimant) => inView(claimant, claims.holder, found);
  const claimants = claims.claimants.map(seen);
  const holder = claimants.find(({ domain }) => domain.id === claims.holder?.domain.id) ?? null;
  const winner = winnerOf(claimants, holder, survey);
  if (winner !== null && winner.domain.id !== own.domain.id) {
    await giveTo(tx, winner, survey);
    const now = await findDomainById(tx.store, own.domain.id);
    // The records that this domain needs have changed, so its check runs again.
    return now?.status === own.domain.status ? tx.clock.now() : null;
  }
  await startHostCheck(tx, own.domain, survey, own.expectation);
  const memory = await findDnsCheck(tx.store, own.domain.id);
  return recordSurvey(tx, seen(own), survey, { memory, one_click: oneClick, isWinner: winner !== null });
}

/** Gives the hostname to a domain other than the one that the survey was made for. */
async function giveTo(tx: Context, winner: Claimant, survey: DnsSurvey): Promise<void> {
  const { domain, expectation, isWww } = winner;
  if (isWww) return claimHostname(tx, domain, expectation.hostname, { isNew: true });
  const memory = await findDnsCheck(tx.store, domain.id);
  const oneClick = memory?.one_click ?? null;
  await recordSurvey(tx, winner, survey, { memory, one_click: oneClick, isWinner: true });
}

async function recordSurvey(
  tx: Context,
  { domain, expectation }: Claimant,
  survey: DnsSurvey,
  {
    memory,
    one_click,
    isWinner,
  }: { memory: DnsCheck | null; one_click: OneClickAnswer | null; isWinner: boolean },
): Promise<Instant | null> {
  const now = tx.clock.now();
  const seen = verdict(domain, survey, expectation, { missed_at: missedAt(domain, memory), now });
  const yields = seen.trigger?.name === 'dns_confirmed' && !isWinner;
  const result = yields ? whileYielding(domain, seen, findRival(survey, expectation), now) : seen;
  const zoneServers = nameServers(survey.delegation);
  await saveDnsCheck(tx.store, {
    domain_id: domain.id,
    checked_at: now,
    missed_at: result.missed_at,
    name_servers: zoneServers.length > 0 ? zoneServers : (memory?.name_servers ?? []),
    one_click,
    findings: result.findings,
    path: knownPath(survey, expectation, now),
    progress: dnsProgress(memory, result.findings, {
      status: domain.status,
      trigger: result.trigger?.name ?? null,
    }),
  });
  if (result.trigger === null) {
    if (isRightMostly(survey.resolvers, expectation)) await resumeOrder(tx, domain);
    return recordCheck(tx, domain, result);
  }
  await recordTransition(tx, domain, result.trigger);
  return null;
}

/** Returns when the record was first missed. A miss before the last change of status does not count. */
function missedAt({ status_since }: Domain, memory: DnsCheck | null): Instant | null {
  const missedAt = memory?.missed_at ?? null;
  return missedAt !== null && missedAt >= status_since ? missedAt : null;
}

function knownPath(
  { path }: DnsSurvey,
  { silentProxies = [] }: DnsExpectation,
  now: Instant,
): KnownPath | null {
  return path === undefined
    ? null
    : { ...path, probed_at: now, led_here: path.leads_here || silentProxies.length > 0 };
}

/**
 * Keeps a domain waiting although DNS names it, because another domain holds the hostname or comes before it (`docs/domains.md`,
 * ownership).
 */
function whileYielding(domain: Domain, seen: Verdict, rival: Finding, now: Instant): Verdict {
  const { code: reason } = rival;
  const detail = detailOf(rival);
  const findings = [rival, ...seen.findings];
  return {
    ...seen,
    findings,
    trigger: triggerWhileYielding(domain, now, { reason, detail }),
    reason,
    detail,
  };
}

function triggerWhileYielding(
  domain: Domain,
  now: Instant,
  why: Pick<Trigger, 'reason' | 'detail'>,
): Trigger | null {
  if (domain.status === 'dns_broken') return null;
  if (now >= windowEndsAt(domain)) return { name: 'window_passed' };
  return domain.status === 'pending_dns' ? { name: 'dns_seen', ...why } : null;
}

/** Returns whether the DNS provider can set the records itself. Asks the provider again if the last answer is too old. */
async function askOneClick(
  context: Context,
  domain: Domain,
  { delegation }: DnsSurvey,
): Promise<OneClickAnswer | null> {
  const known = (await findDnsCheck(context.store, domain.id))?.one_click ?? null;
  const zone = delegation?.zone ?? null;
  const now = context.clock.now();
  if (context.oneClick === null || zone === null || !isOneClickDue(known, zone, now)) return known;
  const addresses = await findCustomerAddresses(context, await getApp(context.store, domain.app_id));
  const wanted = applyTarget(context.settings, addresses, domain, zone);
  return { zone, askedAt: now, ...(await context.oneClick.ask(wanted)) };
}

/** Records what a check found, if the status stays the same. */
async function recordCheck(tx: Context, domain: Domain, result: Verdict): Promise<Instant | null> {
  const now = tx.clock.now();
  const { next } = scheduledChecks(domain, now);
  const soon = result.recheckInMs === null ? next : now + result.recheckInMs;
  const nextCheckAt = next === null || soon === null ? next : Math.min(next, soon);
  await saveDomain(tx.store, {
    ...domain,
    routed_through: result.routed_through,
    status_reason: result.reason,
    status_detail: result.detail,
    last_checked_at: now,
    next_check_at: nextCheckAt,
  });
  return nextCheckAt;
}
