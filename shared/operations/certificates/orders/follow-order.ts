import { problemNames, problemReason } from '../../../core/certificates/acme-problem.ts';
import {
  ANSWERS_MAX,
  type CertificateOrder,
  ORDER_STALLED_MS,
  type OrderProblem,
  pollAgainAt,
} from '../../../core/certificates/certificate-order.ts';
import { certificateRequest } from '../../../core/certificates/x509.ts';
import type { Instant } from '../../../core/instant.ts';
import type { CaOrder } from '../../../ports/certificate-authority.ts';
import { makePrivateKey, openPrivateKey, orderBinding } from '../certificate-keys.ts';
import { storeIssued } from '../store-issued.ts';
import { answerChallenges } from './answer-challenges.ts';
import { authorityFailed, nextAuthority } from './attempt-failed.ts';
import { type PlacedWork, type StepOutcome, saveOrder } from './order-work.ts';
import { retryTransient } from './place-order.ts';
import {
  anyFailed,
  type ValidationFailure,
  validationFailed,
  validationFailures,
} from './validation-failures.ts';

/** Reads the order's state at the authority and takes the next step (RFC 8555 section 7.1.6). */
export async function followOrder(work: PlacedWork, order: CertificateOrder): Promise<StepOutcome> {
  const { authority, account } = work;
  const answer = await authority.order(account, order.order_url ?? '');
  if (!answer.ok) {
    // The authority no longer knows the order, for instance because it expired while no worker followed it.
    if (answer.problem.status === 404) return nextAuthority(work, order, lost('the order is not known'));
    return retryTransient(work, order, answer.problem);
  }
  const seen = answer.value;
  switch (seen.status) {
    case 'pending': {
      if (order.answer_again_at !== null) return awaitValidation(work, order, seen, order.answer_again_at);
      const outcome = await answerChallenges(work, order, seen);
      return outcome === 'invalid' ? orderInvalid(work, order, seen) : outcome;
    }
    case 'ready':
      return finalize(work, order, seen);
    case 'processing':
      return awaitAuthority(work, order, answer.retryAt);
    case 'valid':
      return storeIssued(work, order, seen);
    case 'invalid':
      return orderInvalid(work, order, seen);
  }
}

/** Finalizes the order. The key is stored before the authority sees the request, so that the worker that fetches the certificate has it. */
async function finalize(work: PlacedWork, order: CertificateOrder, seen: CaOrder): Promise<StepOutcome> {
  const { secrets } = work.context;
  const boundTo = orderBinding(order.domain_id);
  if (order.private_key === null) {
    const privateKey = secrets.seal(await makePrivateKey(), boundTo);
    return saveOrder(work, { ...order, private_key: privateKey });
  }
  const request = certificateRequest(openPrivateKey(secrets, order.private_key, boundTo), order.names);
  const answer = await work.authority.finalize(work.account, seen.finalize_url, request);
  if (!answer.ok) return retryTransient(work, order, answer.problem);
  if (answer.value.status === 'valid') return storeIssued(work, order, answer.value);
  // The finalization is progress, even if another worker took the previous step long ago. The wait starts here.
  const outcome = await saveOrder(work, order);
  const now = work.context.clock.now();
  return outcome === 'again' ? pollAgainAt(now, answer.retryAt, now) : outcome;
}

/**
 * Waits while the authority validates. After a failed validation, some authorities leave the challenge `processing` and try again
 * themselves. Others leave it `pending` until the challenge is answered again (RFC 8555 section 8.2).
 */
async function awaitValidation(
  work: PlacedWork,
  order: CertificateOrder,
  seen: CaOrder,
  againAt: Instant,
): Promise<StepOutcome> {
  const { clock, log } = work.context;
  const failures = await validationFailures(work, order, seen);
  if (!Array.isArray(failures)) return failures.outcome;
  const waiting = failures.filter(({ status }) => status === 'pending');
  if (!anyFailed(waiting)) return awaitAuthority(work, order, null, failures);
  if (clock.now() < againAt) return awaitAuthority(work, order, againAt, failures);
  if (order.answered_times >= ANSWERS_MAX) return validationFailed(work, order, waiting);
  const { domain_id, ca, answered_times } = order;
  log.warn({ domain_id, ca, answered_times, failures }, 'a validation failed; asking for another one');
  return saveOrder(work, { ...order, answer_again_at: null });
}

/**
 * Waits for the authority. It has responded, so any earlier transient failure is over.
 * @param failures its failed validations so far, which explain why the order makes no progress.
 */
async function awaitAuthority(
  work: PlacedWork,
  order: CertificateOrder,
  retryAt: Instant | null,
  failures: readonly ValidationFailure[] = [],
): Promise<StepOutcome> {
  const now = work.context.clock.now();
  const since = order.progressed_at;
  if (now - since > ORDER_STALLED_MS) {
    if (anyFailed(failures)) return validationFailed(work, order, failures);
    const about = order.names.length > 1 ? order.names.slice(1) : [];
    return authorityFailed(work, order, lost('the order does not come further'), about);
  }
  const outcome =
    order.failing_since === null
      ? 'again'
      : await saveOrder(work, { ...order, failing_since: null }, undefined, since);
  return outcome === 'again' ? pollAgainAt(since, retryAt, now) : outcome;
}

/** Describes an order that the authority has lost. The next attempt places a new one; doing so at once could lose it again. */
function lost(found: string): OrderProblem {
  return { reason: 'ca_unavailable', found, at: null, until: null };
}

/** Fails the order with the reason of the authorizations that failed. */
async function orderInvalid(work: PlacedWork, order: CertificateOrder, seen: CaOrder): Promise<StepOutcome> {
  const failures = await validationFailures(work, order, seen);
  if (!Array.isArray(failures)) return failures.outcome;
  const final = failures.filter(({ status }) => status === 'invalid');
  if (anyFailed(final)) return validationFailed(work, order, final);
  const { problem } = seen;
  // No validation failed: the order expired before its challenges were answered.
  if (problem === null) return nextAuthority(work, order, lost('the order ran out'));
  const reason = problemReason(problem, 'request');
  const told = { reason, found: problem.detail || null, at: null, until: null };
  return authorityFailed(work, order, told, problemNames(problem));
}
