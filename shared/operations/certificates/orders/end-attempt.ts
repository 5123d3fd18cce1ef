import { newOrder, type OrderProblem } from '../../../core/certificates/certificate-order.ts';
import { afterFailure } from '../../../core/certificates/issuance-backoff.ts';
import { renewalDeadline } from '../../../core/certificates/renewal-time.ts';
import type { Domain, StatusDetail } from '../../../core/domains/domain.ts';
import { isAwaitingDns } from '../../../core/domains/status.ts';
import { DAY_MS, type Instant, timestamp } from '../../../core/instant.ts';
import { reasonDetail } from '../../../core/reasons.ts';
import {
  deleteCertificateOrder,
  saveCertificateOrder,
} from '../../../store/certificates/certificate-orders.ts';
import { saveDomain } from '../../../store/domains/domains.ts';
import { scheduleJob } from '../../../store/jobs/jobs.ts';
import type { Context, TxContext } from '../../context.ts';
import { recordTransition } from '../../domains/record-transition.ts';
import { underLease } from '../../under-lease.ts';
import { closeChallenges } from '../open-challenges.ts';
import { randomShare } from '../renewal-due.ts';
import type { OrderWork, StepOutcome } from './step-outcome.ts';

/**
 * Records that this attempt got no certificate from any authority. Counts the failure, reports it once the retries are used up, and
 * schedules the next attempt. If an authority only lacks capacity, schedules the attempt for when there is capacity, which may be before
 * the next retry.
 * @returns when the job is due again. Null if a transition has scheduled the job, or the lease was lost.
 */
export async function endOrderAttempt(
  { context, issuance, job }: OrderWork,
  { order, problem, obstacles }: Extract<StepOutcome, { kind: 'unobtained' }>,
): Promise<Instant | null> {
  const { place, failed } = obstacles;
  const ended = await underLease(context, job, async (tx, domain) => {
    const { id } = domain;
    const now = tx.clock.now();
    const since = domain.status === 'active' ? null : domain.status_since;
    const after = afterFailure(
      order.failures,
      { failed, until: place?.until ?? null, since },
      now,
      randomShare(tx),
    );
    const { failures, next_attempt_at } = after;
    const waits = place !== null && failures === order.failures;
    const told = waits ? place : problem;
    const { reason } = told;
    // Logs and stores the authority's error text. While a limit lasts, the authority gets no request, so this uses the last known text.
    const last = [problem, order.problem].find((each) => each?.reason === reason && each.found !== null);
    const found = told.found ?? last?.found ?? null;
    const seen = { domain_id: id, ca: order.ca, tried: order.tried, reason, found };
    if (waits) tx.log.info(seen, 'a certificate waits for room at an authority');
    else tx.log.warn(seen, 'no certificate was obtained');
    await closeChallenges(tx, id);
    // The record that a domain waits for may change soon, so an attempt that failed in an outage of the authority is repeated earlier.
    const isOutage = isAwaitingDns(domain.status) && order.ca !== null && reason === 'ca_unavailable';
    if (order.purpose === 'join_www' && order.certificate_id === null && !isOutage) {
      // The apex already has a certificate, so adding `www` is tried again in a day.
      await deleteCertificateOrder(tx.store, id);
      const retryAt = Math.max(now, Math.min(now + DAY_MS, domain.certificate?.renews_at ?? now));
      return { reason, dueAt: retryAt };
    }
    // Keeps a certificate that was already issued. The next attempt only checks that the edge serves it.
    const { purpose, without_www, certificate_id } = order;
    const kept = { failures, without_www, certificate_id, problem: { ...told, found } };
    const next = { ...newOrder(id, purpose, now), ...kept };
    await saveCertificateOrder(tx.store, next);
    return { reason, dueAt: await applyFailure(tx, domain, told, after.spent, next_attempt_at) };
  });
  if (ended === null) return null;
  issuance.onOutcome?.({ ca: order.ca ?? order.tried[0] ?? null, outcome: ended.reason });
  return ended.dueAt;
}

/**
 * Updates the domain's status and reason after a failed attempt.
 * @returns when the job is due again; null if a transition has scheduled the job.
 */
async function applyFailure(
  tx: TxContext,
  domain: Domain,
  problem: OrderProblem,
  spent: boolean,
  nextAttemptAt: Instant,
): Promise<Instant | null> {
  const { reason } = problem;
  const detail = explain(tx, problem, nextAttemptAt);
  if (domain.status === 'active' && domain.certificate !== null) {
    // Visitors still get a valid certificate, so report nothing until it is about to expire.
    const deadline = renewalDeadline(domain.certificate);
    if (tx.clock.now() < deadline) return Math.min(nextAttemptAt, deadline);
    await recordFailure(tx, domain, { name: 'renewal_failed', reason, detail }, nextAttemptAt);
    return null;
  }
  if (domain.status === 'issuing' && spent) {
    await recordFailure(tx, domain, { name: 'issuance_failed', reason, detail }, nextAttemptAt);
    return null;
  }
  // Until the hostname points to us, keep the reason that tells the customer what is wrong with the record.
  if (!isAwaitingDns(domain.status)) await reportProblem(tx, domain, problem, nextAttemptAt);
  return nextAttemptAt;
}

/** Sets the domain's `status_reason` to a problem, without sending an event. @param nextAttemptAt when the order continues. */
export async function reportProblem(
  tx: TxContext,
  domain: Domain,
  problem: OrderProblem,
  nextAttemptAt: Instant,
): Promise<void> {
  const statusDetail = explain(tx, problem, nextAttemptAt);
  await saveDomain(tx.store, { ...domain, status_reason: problem.reason, status_detail: statusDetail });
}

async function recordFailure(
  tx: TxContext,
  domain: Domain,
  trigger: { name: 'renewal_failed' | 'issuance_failed'; reason: string; detail: StatusDetail },
  dueAt: Instant,
): Promise<void> {
  await recordTransition(tx, domain, trigger);
  // The job is due when an authority has capacity, if that is before the daily retry.
  await scheduleJob(tx.store, { kind: 'retry', subject_id: domain.id, app_id: domain.app_id, due_at: dueAt });
}

function explain({ settings }: Context, problem: OrderProblem, nextAttemptAt: Instant): StatusDetail {
  const { reason, found, at, until } = problem;
  const [issuer] = settings.caaIssuers;
  const expected = {
    caa_forbids: issuer === undefined ? null : `0 issue "${issuer}"`,
    ca_challenge_failed: [...settings.edgeIpv4, ...settings.edgeIpv6].join(', '),
  };
  return reasonDetail(reason, {
    // The text may contain a link to manage our account at the authority, which only the operator may follow.
    found: reason === 'ca_refused' ? null : found,
    expected: reason === 'caa_forbids' || reason === 'ca_challenge_failed' ? expected[reason] : null,
    ...(at === null ? {} : { name: at }),
    ...(until === null ? {} : { wait: timestamp(nextAttemptAt) }),
  });
}
