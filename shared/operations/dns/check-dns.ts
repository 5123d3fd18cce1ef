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
import type { DomainId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { isOneClickDue, type OneClickAnswer } from '../../core/providers/domain-connect.ts';
import {
  type DnsCheck,
  type KnownPath,
  noteRoutineCheck,
  saveDnsCheck,
} from '../../store/domains/dns-checks.ts';
import { findDomainById, saveDomain } from '../../store/domains/domains.ts';
import { type DomainJob, holdsJob } from '../../store/jobs/jobs.ts';
import { autocommit } from '../../store/store.ts';
import { resumeOrder } from '../certificates/orders/suspend-order.ts';
import { applyTarget } from '../connect/get-connect-page.ts';
import { type Context, type TxContext, transact } from '../context.ts';
import { claimHostname } from '../domains/claim-hostname.ts';
import { findCustomerAddresses } from '../domains/customer-target.ts';
import { recordTransition } from '../domains/record-transition.ts';
import { leavesHost, startHostCheck } from './check-whitelabel.ts';
import { type HostnameClaim, type HostnameClaims, readClaims } from './hostname-claimants.ts';
import { AWAITING_PROOF, type Surveyed, surveyHostname, surveyLive } from './survey-hostname.ts';

/**
 * Looks up a domain's records, outside any transaction, and records the outcome (`docs/domains.md`, checks). The survey also decides which
 * domain gets the hostname, if several have it (`shared/decisions/0066`).
 * @returns when the next check is due. Null if a transition scheduled that check, or if there is nothing left to check.
 */
export async function checkDns(context: Context, job: DomainJob): Promise<Instant | null> {
  const { dns, store, clock } = context;
  if (dns === null) return null;
  const id = job.subject_id;
  const basis = await readClaims(context, id);
  const own = ownClaim(basis, id);
  if (own === null) return null;
  const asked = withoutIdleLookups(own, basis);
  const surveyed = AWAITING_PROOF.has(own.domain.status)
    ? await surveyHostname(context, dns, asked, basis, 'first')
    : await surveyLive(context, dns, asked, basis);
  const oneClick = await askOneClick(context, own, surveyed.survey);
  const checkedAt = clock.now();
  const nextAt = basis.claimants.length > 1 ? null : ifRoutine(own, basis, surveyed, oneClick, checkedAt);
  const noted = { app: own.app, updated_at: own.domain.updated_at, checked_at: checkedAt };
  if (nextAt !== null && (await noteRoutineCheck(autocommit(store), job, noted))) return nextAt;
  return transact(context, async (tx) => {
    const claims = await readClaims(tx, id);
    const claim = ownClaim(claims, id);
    if (claim === null || !(await holdsJob(tx.store, job))) return null;
    // If the holder of the hostname or the records that this domain needs changed during the lookup, the result proves nothing, so the
    // check runs again. For other domains of the hostname, uses the records that they need now. Otherwise another app could prevent any
    // result by changing its domain during each lookup.
    if (claims.holder?.domain.id !== basis.holder?.domain.id || !expectsSame(own, claim))
      return tx.clock.now();
    return judge(tx, claim, claims, surveyed, oneClick);
  });
}

function ownClaim({ claimants }: HostnameClaims, id: DomainId): HostnameClaim | null {
  return claimants.find(({ domain }) => domain.id === id) ?? null;
}

function expectsSame(one: Claimant, other: Claimant): boolean {
  const facts = ({ expectation }: Claimant) => JSON.stringify({ ...expectation, otherProofs: [] });
  return facts(one) === facts(other);
}

/**
 * Leaves the TXT record out of the survey of a live domain, if no other domain claims the hostname and there is no proxy in front of us.
 */
function withoutIdleLookups(own: HostnameClaim, { claimants }: HostnameClaims): HostnameClaim {
  const { domain, expectation, check } = own;
  if (expectation.txtRequired || claimants.length > 1 || domain.routed_through !== null) return own;
  return check?.path?.led_here ? own : { ...own, expectation: { ...expectation, ignoresTxt: true } };
}

/**
 * If this check changes nothing, returns when the next check is due, else null. The caller must have checked that no other domain claims
 * the hostname.
 */
function ifRoutine(
  own: HostnameClaim,
  { holder }: HostnameClaims,
  { survey, found }: Surveyed,
  oneClick: OneClickAnswer | null,
  now: Instant,
): Instant | null {
  const { domain, check: before, unchecked_since } = own;
  const seen = inView(own, holder, found);
  const { result, check } = assess(seen, survey, { oneClick, isWinner: false, now });
  const isSame =
    result.trigger === null &&
    result.recheckInMs === null &&
    result.routed_through === domain.routed_through &&
    result.reason === domain.status_reason &&
    isEqual(result.detail, domain.status_detail) &&
    isEqual(check, { ...before, checked_at: now });
  // Saves the check if a suspended order waits for it. Also saves it if the clock was set back, because the previous check then has a later
  // time.
  const isNoted = unchecked_since !== null || now <= (domain.last_checked_at ?? 0);
  const isRoutine = isSame && !isNoted && !leavesHost(survey, own.expectation);
  return isRoutine ? scheduledChecks(domain, now).next : null;
}

/** Returns whether two values are equal as JSON, which is how the database stores them. */
function isEqual(one: object | null, other: object | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * If the survey proves that another domain owns the hostname, gives the hostname to that domain. Otherwise records the outcome for the
 * domain that was checked.
 */
async function judge(
  tx: TxContext,
  own: HostnameClaim,
  claims: HostnameClaims,
  { survey, found }: Surveyed,
  oneClick: OneClickAnswer | null,
): Promise<Instant | null> {
  const seen = (claimant: HostnameClaim) => inView(claimant, claims.holder, found);
  const claimants = claims.claimants.map(seen);
  const holder = claimants.find(({ domain }) => domain.id === claims.holder?.domain.id) ?? null;
  const winner = winnerOf(claimants, holder, survey);
  if (winner !== null && winner.domain.id !== own.domain.id) {
    await giveTo(tx, winner, survey);
    const now = await findDomainById(tx.store, own.domain.id);
    // The other domain's claim has changed the records that this domain needs, so the check of this domain runs again.
    return now?.status === own.domain.status ? tx.clock.now() : null;
  }
  await startHostCheck(tx, own.domain, survey, own.expectation);
  return recordSurvey(tx, seen(own), survey, { oneClick, isWinner: winner !== null, now: tx.clock.now() });
}

/** Gives the hostname to a domain other than the one that was checked. */
async function giveTo(tx: TxContext, winner: HostnameClaim, survey: DnsSurvey): Promise<void> {
  const { domain, expectation, isWww, check } = winner;
  if (isWww)
    return claimHostname(tx, domain, expectation.hostname, { isNew: true, record: recordTransition });
  const oneClick = check?.one_click ?? null;
  await recordSurvey(tx, winner, survey, { oneClick, isWinner: true, now: tx.clock.now() });
}

interface CheckFacts {
  oneClick: OneClickAnswer | null;
  /** Whether the survey proves that this domain owns the hostname. */
  isWinner: boolean;
  now: Instant;
}

/** Returns a DNS survey's verdict on a domain, and the check to store. */
function assess(
  { domain, expectation, check: before }: HostnameClaim,
  survey: DnsSurvey,
  { oneClick, isWinner, now }: CheckFacts,
): { result: Verdict; check: DnsCheck } {
  const seen = verdict(domain, survey, expectation, { missed_at: missedAt(domain, before), now });
  const yields = seen.trigger?.name === 'dns_confirmed' && !isWinner;
  const result = yields ? whileYielding(domain, seen, findRival(survey, expectation), now) : seen;
  const zoneServers = nameServers(survey.delegation);
  const progress = dnsProgress(before, result.findings, {
    status: domain.status,
    trigger: result.trigger?.name ?? null,
  });
  const check: DnsCheck = {
    checked_at: now,
    missed_at: result.missed_at,
    name_servers: zoneServers.length > 0 ? zoneServers : (before?.name_servers ?? []),
    one_click: oneClick,
    findings: result.findings,
    progress,
    path: knownPath(survey, expectation, now),
  };
  return { result, check };
}

async function recordSurvey(
  tx: TxContext,
  claim: HostnameClaim,
  survey: DnsSurvey,
  facts: CheckFacts,
): Promise<Instant | null> {
  const { domain, expectation } = claim;
  const { result, check } = assess(claim, survey, facts);
  await saveDnsCheck(tx.store, domain.id, check);
  if (result.trigger === null) {
    if (isRightMostly(survey.resolvers, expectation)) await resumeOrder(tx, domain);
    return recordCheck(tx, domain, result);
  }
  await recordTransition(tx, domain, result.trigger);
  return null;
}

/** Returns when a check first did not find the record. Ignores checks before the last change of status. */
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
 * Returns the verdict for a domain whose records are right, but whose hostname another domain has or gets first. The domain has to wait
 * (`docs/domains.md`, ownership).
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

/** Returns whether the DNS provider can set the records itself (Domain Connect). Asks the provider again if the last answer is too old. */
async function askOneClick(
  context: Context,
  { domain, app, check }: HostnameClaim,
  { delegation }: DnsSurvey,
): Promise<OneClickAnswer | null> {
  const known = check?.one_click ?? null;
  const zone = delegation?.zone ?? null;
  const now = context.clock.now();
  if (context.oneClick === null || zone === null || !isOneClickDue(known, zone, now)) return known;
  const wanted = applyTarget(context.settings, await findCustomerAddresses(context, app), domain, zone);
  return { zone, askedAt: now, ...(await context.oneClick.ask(wanted)) };
}

/** Records the result of a check that does not change the status. */
async function recordCheck(tx: TxContext, domain: Domain, result: Verdict): Promise<Instant | null> {
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
