import {
  type AcmeProblem,
  problemNames,
  problemReason,
  refusesReplacement,
} from '../../core/acme-problem.ts';
import type { CertificateOrder } from '../../core/certificate-order.ts';
import { lookAgainAt } from '../../core/certificate-order.ts';
import { type Instant, MINUTE_MS } from '../../core/instant.ts';
import { deleteChallenges } from '../../store/challenges.ts';
import { forgetAccount } from './acme-account.ts';
import { authorityFailed } from './attempt-failed.ts';
import { noteProblem } from './authority-limits.ts';
import { keep, type PlacedWork, type StepOutcome } from './order-work.ts';

/** Places the order, and keeps where it is found again: whoever goes on with it places no second one. */
export async function placeOrder(work: PlacedWork, order: CertificateOrder): Promise<StepOutcome> {
  const { authority, account, domain } = work;
  const { names, replaces } = order;
  const answer = await authority.newOrder(account, { names, replaces });
  if (answer.ok) {
    // The answers to an earlier order would stand in the way of its own.
    return keep(work, { ...order, order_url: answer.value.order_url }, (tx) =>
      deleteChallenges(tx.store, domain.id),
    );
  }
  if (replaces !== null && refusesReplacement(answer.problem)) {
    work.context.log.warn(
      { domain_id: domain.id, problem: answer.problem },
      'the renewal is ordered without replaces',
    );
    return keep(work, { ...order, replaces: null });
  }
  return requestFailed(work, order, answer.problem);
}

/** A request of ours was refused, or not answered. */
export async function requestFailed(
  work: Omit<PlacedWork, 'account'>,
  order: CertificateOrder,
  problem: AcmeProblem,
): Promise<StepOutcome> {
  const { context, authority } = work;
  if (problem.type === 'accountDoesNotExist') await forgetAccount(context, authority);
  const reason = problemReason(problem, 'request');
  const until = await noteProblem(context, authority.ca, problem, reason, order.names);
  return authorityFailed(
    work,
    order,
    { reason, found: problem.detail || null, at: null, until: reason === 'ca_rate_limited' ? until : null },
    problemNames(problem),
  );
}

/** An authority that stumbles in the middle of an order gets a moment before the order is given up. */
export async function stumbled(
  work: PlacedWork,
  order: CertificateOrder,
  problem: AcmeProblem,
): Promise<StepOutcome> {
  const now: Instant = work.context.clock.now();
  const passing = problem.status === null || problem.status >= 500 || problem.status === 429;
  if (!passing || now - order.progressed_at > MINUTE_MS) return requestFailed(work, order, problem);
  return lookAgainAt(order.progressed_at, problem.retry_at, now);
}
