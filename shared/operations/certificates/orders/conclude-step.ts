import { mayPass, problemNames, problemReason } from '../../../core/certificates/acme-problem.ts';
import { anotherMayIssue } from '../../../core/certificates/ca.ts';
import {
  type CertificateOrder,
  pollAgainAt,
  problemOfAttempt,
  restartedOrder,
} from '../../../core/certificates/certificate-order.ts';
import type { Domain } from '../../../core/domains/domain.ts';
import { type Instant, MINUTE_MS } from '../../../core/instant.ts';
import type { CaAccount } from '../../../ports/certificates.ts';
import { saveCertificateOrder } from '../../../store/certificates/certificate-orders.ts';
import type { TxContext } from '../../context.ts';
import { underLease } from '../../under-lease.ts';
import { checkAccount } from '../acme-account.ts';
import { closeChallenges } from '../open-challenges.ts';
import { countFailure, recordProblem } from './authority-limits.ts';
import { endOrderAttempt, reportProblem } from './end-attempt.ts';
import type { OrderWork, StepOutcome } from './step-outcome.ts';

type Outcome<K extends StepOutcome['kind']> = Extract<StepOutcome, { kind: K }>;

/**
 * The order after the step, and when its next step is due. If the attempt has ended, only the time at which the job is due again. Null if
 * the job is done or its lease is lost.
 */
export type NextStep = { stepAt: Instant; order: CertificateOrder } | Instant | null;

/** How long to retry a request that fails in the middle of an order. */
const RETRY_MS = MINUTE_MS;
/** A repeatable step is not saved if the order made progress within this time. */
const UNSAVED_MS = MINUTE_MS;

/**
 * Saves the outcome of a step. For a failure, first decides how to continue: retry, order without `www`, use another authority, or end the
 * attempt.
 * @param before the order as it was before the step.
 * @param account the account that the step used; null if none.
 */
export async function concludeStep(
  work: OrderWork,
  before: CertificateOrder,
  outcome: StepOutcome,
  account: CaAccount | null,
): Promise<NextStep> {
  const now = work.context.clock.now();
  switch (outcome.kind) {
    case 'advance': {
      const order = { ...outcome.order, progressed_at: now, failing_since: null };
      const stepAt = outcome.dueAt ?? now;
      const isRecent = before.failing_since === null && now - before.progressed_at < UNSAVED_MS;
      if (outcome.isRepeatable && isRecent) return { stepAt, order };
      return save(work, before, order, stepAt, outcome);
    }
    case 'wait':
      if (outcome.order === undefined) return { stepAt: outcome.dueAt, order: before };
      return save(work, before, outcome.order, outcome.dueAt, {
        async within(tx, domain) {
          if (outcome.problem && domain.status === 'issuing')
            await reportProblem(tx, domain, outcome.problem, outcome.dueAt);
        },
      });
    case 'retry':
      return concludeStep(work, before, afterBadResponse(outcome, now), account);
    case 'refused':
      return concludeStep(work, before, await afterRefusal(work, outcome, account), account);
    case 'failed':
      return concludeStep(work, before, await afterFailure(work, outcome), account);
    case 'lost':
      return concludeStep(work, before, atNextAuthority(outcome, now), account);
    case 'unobtained':
      return endOrderAttempt(work, outcome);
    case 'done':
      return null;
  }
}

/** Saves the order under the job's lease. If the worker has lost the lease, saves nothing and returns null. */
function save(
  { context, job }: OrderWork,
  before: CertificateOrder,
  order: CertificateOrder,
  stepAt: Instant,
  {
    within,
    unless,
  }: {
    within?: (tx: TxContext, domain: Domain) => Promise<void>;
    unless?: (tx: TxContext) => Promise<Instant | null>;
  },
): Promise<NextStep> {
  return underLease(context, job, async (tx, domain) => {
    const againAt = (await unless?.(tx)) ?? null;
    if (againAt !== null) return { stepAt: againAt, order: before };
    await saveCertificateOrder(tx.store, order);
    // The step has given up the order at the authority, so the edge must stop serving the order's challenges.
    if (before.order_url !== null && order.order_url === null) await closeChallenges(tx, domain.id);
    await within?.(tx, domain);
    return { stepAt, order };
  });
}

/** Schedules a repetition of the failed request. Gives up if a repetition cannot help, or after `RETRY_MS`. */
function afterBadResponse({ order, problem }: Outcome<'retry'>, now: Instant): StepOutcome {
  const since = order.failing_since ?? now;
  if (!mayPass(problem) || now - since > RETRY_MS) {
    // A 404 means that the authority no longer knows the order, for instance because it expired while no worker followed it.
    if (problem.status !== 404) return { kind: 'refused', order, problem };
    const lost = { reason: 'ca_unavailable', found: problem.detail || null, at: null, until: null } as const;
    return { kind: 'lost', order, problem: lost };
  }
  const dueAt = pollAgainAt(since, problem.retryAt, now);
  return { kind: 'wait', order: { ...order, failing_since: since }, dueAt };
}

/** Records what a refusal reveals about the account and about the authority's limits. */
async function afterRefusal(
  { context, issuance, accounts }: OrderWork,
  { order, problem }: Outcome<'refused'>,
  account: CaAccount | null,
): Promise<StepOutcome> {
  accounts.clear();
  const reason = problemReason(problem, order.order_url === null ? 'order' : 'request');
  const authority = issuance.authorities.find(({ ca }) => ca.name === order.ca);
  let until: Instant | null = null;
  if (authority !== undefined) {
    if (account !== null) await checkAccount(context, authority, account, problem);
    const waitsUntil = await recordProblem(context, authority.ca, problem, reason, order.names);
    if (reason === 'ca_rate_limited') until = waitsUntil;
  }
  const told = { reason, found: problem.detail || null, at: null, until };
  return { kind: 'failed', order, problem: told, about: problemNames(problem) };
}

/** Counts the failure. Continues without `www` if only `www` is at fault, or at another authority that may succeed. */
async function afterFailure(
  { context, issuance, domain }: OrderWork,
  { order, problem, about }: Outcome<'failed'>,
): Promise<StepOutcome> {
  const blamed = about.filter((name) => order.names.includes(name));
  const ca = issuance.authorities.find((each) => each.ca.name === order.ca)?.ca;
  for (const name of blamed.length > 0 ? blamed : [domain.hostname]) {
    if (ca !== undefined) await countFailure(context, ca, name);
  }
  const ended: StepOutcome = { kind: 'unobtained', order, problem, obstacles: { place: null, failed: true } };
  if (order.purpose === 'join_www') return ended;
  if (blamed.length > 0 && !blamed.includes(domain.hostname)) {
    const restarted = restartedOrder(order, context.clock.now());
    return { kind: 'advance', order: { ...restarted, without_www: true } };
  }
  return anotherMayIssue(problem.reason) && order.ca !== null ? { kind: 'lost', order, problem } : ended;
}

/** Restarts the order at an authority that has not failed yet. Keeps the problem that the first authority reported. */
function atNextAuthority({ order, problem }: Outcome<'lost'>, now: Instant): StepOutcome {
  const tried = order.ca === null ? order.tried : [...order.tried, order.ca];
  const restarted = restartedOrder(order, now);
  return { kind: 'advance', order: { ...restarted, tried, problem: problemOfAttempt(order) ?? problem } };
}
