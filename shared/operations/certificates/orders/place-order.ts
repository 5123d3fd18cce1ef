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
import { limitedUntil, noteProblem, takeOrder, type Wish } from './authority-limits.ts';
import { keep, type PlacedWork, type StepOutcome } from './order-work.ts';

/** Places the order and saves its URL, so that a worker that continues the work does not place a second one. */
export async function placeOrder(work: PlacedWork, order: CertificateOrder): Promise<StepOutcome> {
  const { authority, account, domain } = work;
  const { names, replaces } = order;
  const answer = await authority.newOrder(account, { names, replaces });
  if (answer.ok) {
    // Challenges of an earlier order must not be served any more.
    return keep(work, { ...order, order_url: answer.value.order_url }, (tx) =>
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
  const wish: Wish = { names, purpose, app_id: domain.app_id, exempt: false };
  const until =
    (await limitedUntil(context, authority.ca, wish)) ?? (await takeOrder(context, authority.ca, wish));
  context.log.warn({ domain_id: domain.id, problem, until }, 'ordering the renewal without replaces');
  if (until === null) return keep(work, { ...order, replaces: null });
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
  const until = await noteProblem(context, authority.ca, problem, reason, order.names);
  return authorityFailed(
    work,
    order,
    { reason, found: problem.detail || null, at: null, until: reason === 'ca_rate_limited' ? until : null },
    problemNames(problem),
  );
}

/** Retries a transient failure in the middle of an order. The order fails if a minute has passed since the first such failure. */
export async function stumbled(
  work: PlacedWork,
  order: CertificateOrder,
  problem: AcmeProblem,
): Promise<StepOutcome> {
  const now = work.context.clock.now();
  const since = order.stumbled_since ?? now;
  const passing = problem.status === null || problem.status >= 500 || problem.status === 429;
  if (!passing || now - since > MINUTE_MS) return requestFailed(work, order, problem);
  const outcome = await keep(work, { ...order, stumbled_since: since }, undefined, order.progressed_at);
  return outcome === 'again' ? pollAgainAt(since, problem.retry_at, now) : outcome;
}
