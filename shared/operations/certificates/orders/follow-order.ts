import { problemNames, problemReason } from '../../../core/certificates/acme-problem.ts';
import {
  ANSWERS_MAX,
  type CertificateOrder,
  ORDER_STALLED_MS,
  pollAgainAt,
} from '../../../core/certificates/certificate-order.ts';
import { certificateRequest } from '../../../core/certificates/x509.ts';
import type { Instant } from '../../../core/instant.ts';
import type { CaAnswer, CaAuthorization, CaOrder } from '../../../ports/certificate-authority.ts';
import { makePrivateKey, openPrivateKey, orderBinding } from '../certificate-keys.ts';
import { answerChallenges } from './answer-challenges.ts';
import type { PlacedWork, StepOutcome } from './step-outcome.ts';
import { storeIssued } from './store-issued.ts';
import {
  anyFailed,
  failValidation,
  type ValidationFailure,
  validationFailures,
} from './validation-failures.ts';

/** Reads the order's state at the authority and takes the next step (RFC 8555 section 7.1.6). */
export async function followOrder(work: PlacedWork, order: CertificateOrder): Promise<StepOutcome> {
  const answer = await work.authority.order(work.account, order.order_url ?? '');
  if (!answer.ok) {
    const { problem } = answer;
    // The authority no longer knows the order, for instance because it expired while no worker followed it.
    return problem.status === 404 ? lost(order, 'the order is not known') : { kind: 'retry', order, problem };
  }
  const seen = answer.value;
  switch (seen.status) {
    case 'ready':
      return finalize(work, order, seen);
    case 'processing':
      return awaitAuthority(work, order, answer.retryAt);
    case 'valid':
      return storeIssued(work, order, seen);
    case 'pending':
    case 'invalid':
      return validate(work, order, seen);
  }
}

/** Answers the challenges of a pending order, waits for their validation, or reports why it failed. */
async function validate(work: PlacedWork, order: CertificateOrder, seen: CaOrder): Promise<StepOutcome> {
  const read = await readAuthorizations(work, seen);
  if (!read.ok) return { kind: 'retry', order, problem: read.problem };
  const authorizations = read.value;
  if (seen.status === 'invalid') return orderInvalid(order, seen, authorizations);
  if (order.answer_again_at !== null)
    return awaitValidation(work, order, authorizations, order.answer_again_at);
  const open = authorizations.filter(({ status }) => status !== 'valid');
  return open.every(({ status }) => status === 'pending')
    ? answerChallenges(work, order, open)
    : orderInvalid(order, seen, authorizations);
}

async function readAuthorizations(
  { authority, account }: PlacedWork,
  seen: CaOrder,
): Promise<CaAnswer<CaAuthorization[]>> {
  const read: CaAuthorization[] = [];
  for (const url of seen.authorizations) {
    const answer = await authority.authorization(account, url);
    if (!answer.ok) return answer;
    read.push(answer.value);
  }
  return { ok: true, value: read, retryAt: null };
}

/**
 * Finalizes the order. The key is stored before the authority sees the request, so that any worker that fetches the certificate has its
 * key.
 */
async function finalize(work: PlacedWork, order: CertificateOrder, seen: CaOrder): Promise<StepOutcome> {
  const { secrets, clock } = work.context;
  const boundTo = orderBinding(order.domain_id);
  if (order.private_key === null) {
    const privateKey = secrets.seal(await makePrivateKey(), boundTo);
    return { kind: 'advance', order: { ...order, private_key: privateKey } };
  }
  const request = certificateRequest(openPrivateKey(secrets, order.private_key, boundTo), order.names);
  const answer = await work.authority.finalize(work.account, seen.finalize_url, request);
  if (!answer.ok) return { kind: 'retry', order, problem: answer.problem };
  if (answer.value.status === 'valid') return storeIssued(work, order, answer.value);
  // Finalizing counts as progress, even if another worker took the previous step long ago. So the wait starts now.
  const now = clock.now();
  return { kind: 'advance', order, dueAt: pollAgainAt(now, answer.retryAt, now) };
}

/**
 * Waits while the authority validates. After a failed validation, some authorities leave the challenge `processing` and try again
 * themselves. Others leave it `pending` until the challenge is answered again (RFC 8555 section 8.2).
 */
function awaitValidation(
  work: PlacedWork,
  order: CertificateOrder,
  authorizations: readonly CaAuthorization[],
  againAt: Instant,
): StepOutcome {
  const { clock, log } = work.context;
  const failures = validationFailures(authorizations);
  const waiting = failures.filter(({ status }) => status === 'pending');
  if (!anyFailed(waiting)) return awaitAuthority(work, order, null, failures);
  if (clock.now() < againAt) return awaitAuthority(work, order, againAt, failures);
  if (order.answered_times >= ANSWERS_MAX) return failValidation(order, waiting);
  const { domain_id, ca, answered_times } = order;
  log.warn({ domain_id, ca, answered_times, failures }, 'a validation failed; asking for another one');
  return { kind: 'advance', order: { ...order, answer_again_at: null } };
}

/**
 * Waits for the authority. It has responded, so an earlier transient failure is over.
 * @param failures the validations that failed so far. They explain why the order makes no progress.
 */
function awaitAuthority(
  work: PlacedWork,
  order: CertificateOrder,
  retryAt: Instant | null,
  failures: readonly ValidationFailure[] = [],
): StepOutcome {
  const now = work.context.clock.now();
  const since = order.progressed_at;
  if (now - since > ORDER_STALLED_MS) {
    if (anyFailed(failures)) return failValidation(order, failures);
    const about = order.names.length > 1 ? order.names.slice(1) : [];
    const problem = unavailable('the order does not come further');
    return { kind: 'failed', order, problem, about };
  }
  const dueAt = pollAgainAt(since, retryAt, now);
  if (order.failing_since === null) return { kind: 'wait', dueAt };
  return { kind: 'wait', dueAt, order: { ...order, failing_since: null } };
}

/** Fails the order with the reason of the authorizations that failed. */
function orderInvalid(
  order: CertificateOrder,
  { problem }: CaOrder,
  authorizations: readonly CaAuthorization[],
): StepOutcome {
  const final = validationFailures(authorizations).filter(({ status }) => status === 'invalid');
  if (anyFailed(final)) return failValidation(order, final);
  // No validation failed: the order expired before its challenges were answered.
  if (problem === null) return lost(order, 'the order ran out');
  const reason = problemReason(problem, 'request');
  const told = { reason, found: problem.detail || null, at: null, until: null };
  return { kind: 'failed', order, problem: told, about: problemNames(problem) };
}

/** Gives up an order that the authority has lost. This attempt asks only other authorities, because this one could lose the next order too. */
function lost(order: CertificateOrder, found: string): StepOutcome {
  return { kind: 'lost', order, problem: unavailable(found) };
}

function unavailable(found: string) {
  return { reason: 'ca_unavailable', found, at: null, until: null } as const;
}
