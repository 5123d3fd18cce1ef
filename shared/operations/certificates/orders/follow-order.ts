import {
  type AcmeProblem,
  problemNames,
  problemReason,
  refusesReplacement,
} from '../../../core/certificates/acme-problem.ts';
import {
  ANSWERS_MAX,
  type CertificateOrder,
  ORDER_STALLED_MS,
  PROCESSING_MAX_MS,
  pollAgainAt,
  restartedOrder,
} from '../../../core/certificates/certificate-order.ts';
import { renewalDeadline } from '../../../core/certificates/renewal-time.ts';
import { certificateRequest } from '../../../core/certificates/x509.ts';
import { HOUR_MS, type Instant } from '../../../core/instant.ts';
import type { CaAnswer, CaAuthorization, CaOrder } from '../../../ports/certificates.ts';
import { makeOrderKey, openPrivateKey, orderBinding } from '../certificate-keys.ts';
import {
  answerChallenges,
  anyFailed,
  failValidation,
  type ValidationFailure,
  validationFailures,
} from './answer-challenges.ts';
import { exactSetUntil } from './authority-limits.ts';
import { chooseAuthority } from './choose-authority.ts';
import type { PlacedWork, StepOutcome } from './step-outcome.ts';
import { storeIssued } from './store-issued.ts';

/** Reads the order's state at the authority and takes the next step (RFC 8555 section 7.1.6). */
export async function followOrder(work: PlacedWork, order: CertificateOrder): Promise<StepOutcome> {
  const answer = await work.authority.order(work.account, order.order_url ?? '');
  if (!answer.ok) return { kind: 'retry', order, problem: answer.problem };
  const seen = answer.value;
  switch (seen.status) {
    case 'ready':
      return finalize(work, order, seen);
    case 'processing':
      return awaitProcessing(work, order, answer.retryAt);
    case 'valid':
      // Some authorities report the status `valid` before the order contains the certificate's URL.
      return seen.certificate_url === null
        ? awaitProcessing(work, order, answer.retryAt)
        : storeIssued(work, order, seen.certificate_url);
    case 'pending':
    case 'invalid':
      return validate(work, order, seen);
  }
}

/** Answers the challenges of a pending order, waits for the validation, or reports why the validation failed. */
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
 * Finalizes the order. The private key was saved with the order's URL, so a worker that fetches the certificate later also has the key.
 */
async function finalize(work: PlacedWork, order: CertificateOrder, seen: CaOrder): Promise<StepOutcome> {
  const { secrets, clock } = work.context;
  const boundTo = orderBinding(order.domain_id);
  // An order without a key was placed by an earlier version of this software.
  if (order.private_key === null)
    return {
      kind: 'advance',
      order: { ...order, private_key: await makeOrderKey(secrets, order.domain_id) },
    };
  if (seen.finalize_url === null) return awaitAuthority(work, order, null);
  const request = certificateRequest(openPrivateKey(secrets, order.private_key, boundTo), order.names);
  const answer = await work.authority.finalize(work.account, seen.finalize_url, request);
  // Reads the order's state again (RFC 8555 section 7.4), because another server of the authority may already know that the order is ready.
  if (!answer.ok && answer.problem.type === 'orderNotReady')
    return awaitAuthority(work, order, answer.problem.retryAt);
  if (!answer.ok) return { kind: 'retry', order, problem: answer.problem };
  // Finalizing counts as progress, so the wait for the certificate starts now, even if the previous step was long ago.
  const now = clock.now();
  return { kind: 'advance', order, dueAt: pollAgainAt(now, answer.retryAt, now), isRepeatable: true };
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
 * Waits for the certificate of a finalized order while the authority reports the order as `processing`. If this takes long, switches to
 * another authority that accepts an order. If there is none, keeps this order, because a new order would take as long.
 */
async function awaitProcessing(
  work: PlacedWork,
  order: CertificateOrder,
  retryAt: Instant | null,
): Promise<StepOutcome> {
  const { context, domain, authority } = work;
  const now = context.clock.now();
  const since = order.progressed_at;
  if (now - since <= ORDER_STALLED_MS) return awaitAuthority(work, order, retryAt);
  const problem = unavailable('the authority still works on the order');
  const replaced = domain.status === 'active' ? domain.certificate : null;
  const until = replaced === null ? since + PROCESSING_MAX_MS : renewalDeadline(replaced);
  if (now >= until) return { kind: 'lost', order, problem };
  const tried = [...order.tried, authority.ca.name];
  const next = await chooseAuthority(work, { ...restartedOrder(order, now), tried, problem });
  if (next.kind === 'advance') return next;
  const dueAt = pollAgainAt(since, retryAt, now, HOUR_MS);
  return { kind: 'wait', order: { ...order, failing_since: null }, dueAt, problem };
}

/**
 * Waits for the authority. Clears `failing_since`, because the authority has responded.
 * @param failures the validations that failed so far, which are reported if the order makes no progress.
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

/** Returns the failure of an invalid order, with the reason of its failed authorizations. */
function orderInvalid(
  order: CertificateOrder,
  { problem }: CaOrder,
  authorizations: readonly CaAuthorization[],
): StepOutcome {
  const final = validationFailures(authorizations).filter(({ status }) => status === 'invalid');
  if (anyFailed(final)) return failValidation(order, final);
  // No validation failed: the order expired before its challenges were answered.
  if (problem === null) return { kind: 'lost', order, problem: unavailable('the order ran out') };
  const reason = problemReason(problem, 'request');
  const told = { reason, found: problem.detail || null, at: null, until: null };
  return { kind: 'failed', order, problem: told, about: problemNames(problem) };
}

function unavailable(found: string) {
  return { reason: 'ca_unavailable', found, at: null, until: null } as const;
}

/** Places the order. Saves its URL and the certificate's key, so that a worker that takes over does not place a second order. */
export async function placeOrder(work: PlacedWork, order: CertificateOrder): Promise<StepOutcome> {
  const { authority, account, domain } = work;
  const { names, replaces } = order;
  const answer = await authority.newOrder(account, { names, replaces });
  if (answer.ok) {
    const privateKey = await makeOrderKey(work.context.secrets, domain.id);
    return { kind: 'advance', order: { ...order, order_url: answer.value, private_key: privateKey } };
  }
  if (replaces !== null && refusesReplacement(answer.problem)) {
    return placeOrdinary(work, order, answer.problem);
  }
  return { kind: 'refused', order, problem: answer.problem };
}

/** Places the order again without `replaces`. The order then counts towards the authority's limit of certificates, which may be reached. */
async function placeOrdinary(
  work: PlacedWork,
  order: CertificateOrder,
  problem: AcmeProblem,
): Promise<StepOutcome> {
  const { context, authority, domain } = work;
  const until = await exactSetUntil(context, authority.ca, order.names);
  context.log.warn({ domain_id: domain.id, problem, until }, 'ordering the renewal without replaces');
  if (until === null) return { kind: 'advance', order: { ...order, replaces: null } };
  return { kind: 'lost', order, problem: { reason: 'ca_rate_limited', found: null, at: null, until } };
}
