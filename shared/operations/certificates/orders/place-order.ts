import {
  type AcmeProblem,
  problemNames,
  problemReason,
  refusesReplacement,
} from '../../../core/certificates/acme-problem.ts';
import type { CertificateOrder } from '../../../core/certificates/certificate-order.ts';
import { pollAgainAt } from '../../../core/certificates/certificate-order.ts';
import { MINUTE_MS } from '../../../core/instant.ts';
import { deleteChallenges } from '../../../store/certificates/challenges.ts';
import { forgetAccount } from '../acme-account.ts';
import { authorityFailed, nextAuthority } from './attempt-failed.ts';
import { limitedUntil, type OrderRequest, recordProblem, takeOrder } from './authority-limits.ts';
import { type PlacedWork, type StepOutcome, saveOrder } from './order-work.ts';

/** Places the order and saves its URL, so that a worker that continues the work does not place a second one. */
export async function placeOrder(work: PlacedWork, order: CertificateOrder): Promise<StepOutcome> {
  const { authority, account, domain } = work;
  const { names, replaces } = order;
  const answer = await authority.newOrder(account, { names, replaces });
  if (answer.ok) {
    // Challenges of an earlier order must not be served any more.
    return saveOrder(work, { ...order, order_url: answer.value.order_url }, (tx) =>
      deleteChallenges(tx.store, domain.id),
    );
  }
  if (replaces !== null && refusesReplacement(answer.problem)) {
    return placeOrdinary(work, order, answer.problem);
  }
  return requestFailed(work, order, answer.problem);
}

/** Repeats the order without `replaces`. Such an order counts against the limits, and there may be no capacity for it. */
async function placeOrdinary(
  work: PlacedWork,
  order: CertificateOrder,
  problem: AcmeProblem,
): Promise<StepOutcome> {
  const { context, authority, domain } = work;
  const { names, purpose } = order;
  const request: OrderRequest = { names, purpose, app_id: domain.app_id, exempt: false };
  const until =
    (await limitedUntil(context, authority.ca, request)) ?? (await takeOrder(context, authority.ca, request));
  context.log.warn({ domain_id: domain.id, problem, until }, 'ordering the renewal without replaces');
  if (until === null) return saveOrder(work, { ...order, replaces: null });
  return nextAuthority(work, order, { reason: 'ca_rate_limited', found: null, at: null, until });
}

/** Handles a request that the authority refused or did not answer. */
export async function requestFailed(
  work: Omit<PlacedWork, 'account'> & Partial<Pick<PlacedWork, 'account'>>,
  order: CertificateOrder,
  problem: AcmeProblem,
): Promise<StepOutcome> {
  const { context, authority, account } = work;
  if (problem.type === 'accountDoesNotExist' && account) await forgetAccount(context, authority, account);
  const reason = problemReason(problem, 'request');
  const until = await recordProblem(context, authority.ca, problem, reason, order.names);
  return authorityFailed(
    work,
    order,
    { reason, found: problem.detail || null, at: null, until: reason === 'ca_rate_limited' ? until : null },
    problemNames(problem),
  );
}

/** Retries a transient failure in the middle of an order. The order fails if a minute has passed since the first such failure. */
export async function retryTransient(
  work: PlacedWork,
  order: CertificateOrder,
  problem: AcmeProblem,
): Promise<StepOutcome> {
  const now = work.context.clock.now();
  const since = order.failing_since ?? now;
  const passing = problem.status === null || problem.status >= 500 || problem.status === 429;
  if (!passing || now - since > MINUTE_MS) return requestFailed(work, order, problem);
  const outcome = await saveOrder(work, { ...order, failing_since: since }, undefined, order.progressed_at);
  return outcome === 'again' ? pollAgainAt(since, problem.retryAt, now) : outcome;
}
