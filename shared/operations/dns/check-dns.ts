import { firstTarget, isRightMostly } from '../../core/dns/dns-confirmation.ts';
import type { DnsExpectation } from '../../core/dns/dns-expectation.ts';
import { dnsProgress } from '../../core/dns/dns-progress.ts';
import type { DnsSurvey } from '../../core/dns/dns-survey.ts';
import { type Verdict, verdict } from '../../core/dns/dns-verdict.ts';
import { nameServers } from '../../core/dns/findings/zone.ts';
import { scheduledChecks } from '../../core/domains/cadence.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { windowEndsAt } from '../../core/domains/schedule.ts';
import type { Trigger } from '../../core/domains/transition.ts';
import type { DomainId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { isOneClickDue, type OneClickAnswer } from '../../core/providers/one-click.ts';
import { reasonDetail } from '../../core/reasons.ts';
import { getApp } from '../../store/accounts/apps.ts';
import { type DnsCheck, findDnsCheck, type KnownPath, saveDnsCheck } from '../../store/domains/dns-checks.ts';
import { findDomainById, saveDomain } from '../../store/domains/domains.ts';
import { findRouteOwner } from '../../store/domains/routes.ts';
import type { DomainJob } from '../../store/jobs/jobs.ts';
import { resumeOrder } from '../certificates/orders/suspend-order.ts';
import { applyTarget } from '../connect/one-click-link.ts';
import type { Context } from '../context.ts';
import { findCustomerTarget } from '../domains/customer-target.ts';
import { recordTransition } from '../domains/record-transition.ts';
import { underLease } from '../under-lease.ts';
import { expectationFor } from './expectation-for.ts';
import { AWAITING_PROOF, surveyWithPath } from './survey-path.ts';

/**
 * Looks up a domain's records, outside any transaction, and records the outcome (`docs/domains.md`, checks).
 * @returns when the next check is due. Null if a transition scheduled it, or if there is nothing left to check.
 */
export async function checkDns(context: Context, job: DomainJob): Promise<Instant | null> {
  const { dns, store } = context;
  const before = await findDomainById(store, job.subject_id);
  if (dns === null || before === null) return null;
  const basis = await findCheckBasis(context, before);
  const { survey, expectation } = await surveyWithPath(context, dns, before, {
    expectation: basis.expectation,
    depth: AWAITING_PROOF.has(before.status) ? 'first' : 'again',
  });
  const oneClick = await askOneClick(context, before, survey);
  return underLease(context, job, async (tx, domain) => {
    // If the app's white-label host or the owner of the route changed during the lookup, the result proves nothing, so the check runs
    // again.
    if (!isSame(basis, await findCheckBasis(tx, domain))) return tx.clock.now();
    const memory = await findDnsCheck(tx.store, domain.id);
    return recordSurvey(tx, domain, survey, { ...basis, expectation }, { memory, one_click: oneClick });
  });
}

interface CheckBasis {
  expectation: DnsExpectation;
  /** The domain that has the hostname's route, or null. */
  holderId: DomainId | null;
}

async function findCheckBasis(context: Context, domain: Domain): Promise<CheckBasis> {
  return {
    expectation: await expectationFor(context, domain),
    holderId: await findRouteOwner(context.store, domain.hostname),
  };
}

function isSame(one: CheckBasis, other: CheckBasis): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function recordSurvey(
  tx: Context,
  domain: Domain,
  survey: DnsSurvey,
  { expectation, holderId }: CheckBasis,
  { memory, one_click }: { memory: DnsCheck | null; one_click: OneClickAnswer | null },
): Promise<Instant | null> {
  const now = tx.clock.now();
  const seen = verdict(domain, survey, expectation, { missed_at: missedAt(domain, memory), now });
  const result = await yieldToHolder(tx, domain, holderId, survey, expectation, seen);
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
 * Keeps a domain waiting although its addresses and TXT record are right, if another app's domain has the route and that domain's TXT
 * record still exists (`docs/domains.md`, ownership). A CNAME to this app's target takes the route in any case.
 */
async function yieldToHolder(
  tx: Context,
  domain: Domain,
  holderId: DomainId | null,
  survey: DnsSurvey,
  expectation: DnsExpectation,
  seen: Verdict,
): Promise<Verdict> {
  if (seen.trigger?.name !== 'dns_confirmed') return seen;
  const views = [...survey.resolvers, ...survey.authorities];
  if (!domain.is_apex && views.some(({ a }) => firstTarget(a, expectation.targets) !== null)) return seen;
  const holder = holderId === null ? null : await findDomainById(tx.store, holderId);
  if (holder === null || holder.id === domain.id) return seen;
  const hasProof = views.some(({ txt }) => txt?.records.some(({ value }) => value === holder.txt_value));
  if (!hasProof) return seen;
  const reason = 'hostname_routed_elsewhere';
  const detail = reasonDetail(reason, { name: expectation.txtName, found: holder.txt_value });
  const trigger = whileYielding(domain, tx.clock.now(), { reason, detail });
  return { ...seen, trigger, reason, detail };
}

function whileYielding(
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
  const target = await findCustomerTarget(context, await getApp(context.store, domain.app_id));
  const wanted = applyTarget(context.settings, target, domain, zone);
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
