import { type AcmeProblem, problemNames, problemReason } from '../../core/acme-problem.ts';
import {
  type CertificateOrder,
  lookAgainAt,
  ORDER_STALLED_MS,
  type OrderProblem,
} from '../../core/certificate-order.ts';
import { certificateRequest } from '../../core/x509.ts';
import type { CaAuthorization, CaOrder } from '../../ports/certificate-authority.ts';
import { answerChallenges } from './answer-challenges.ts';
import { authorityFailed, nextAuthority } from './attempt-failed.ts';
import { makePrivateKey, openPrivateKey, orderBinding } from './certificate-keys.ts';
import { keep, type PlacedWork, type StepOutcome } from './order-work.ts';
import { stumbled } from './place-order.ts';
import { storeIssued } from './store-issued.ts';

/** Looks how far the order is at the authority, and does what is ours to do (RFC 8555 section 7.1.6). */
export async function followOrder(work: PlacedWork, order: CertificateOrder): Promise<StepOutcome> {
  const { authority, account, context } = work;
  const answer = await authority.order(account, order.order_url ?? '');
  if (!answer.ok) {
    // It is known no more: it expired while no worker followed it, say.
    if (answer.problem.status === 404) return nextAuthority(work, order, lost('the order is not known'));
    return stumbled(work, order, answer.problem);
  }
  const seen = answer.value;
  const now = context.clock.now();
  switch (seen.status) {
    case 'pending':
      if (now - order.progressed_at > ORDER_STALLED_MS && order.answered_at !== null)
        return stalled(work, order);
      return answerChallenges(work, order, seen, orderInvalid);
    case 'ready':
      return finalize(work, order, seen);
    case 'processing':
      if (now - order.progressed_at > ORDER_STALLED_MS) return stalled(work, order);
      return lookAgainAt(order.progressed_at, answer.retry_at, now);
    case 'valid':
      return storeIssued(work, order, seen);
    case 'invalid':
      return orderInvalid(work, order, seen);
  }
}

/** The key is kept before the authority sees the request, so that whoever finds the certificate has it. */
async function finalize(work: PlacedWork, order: CertificateOrder, seen: CaOrder): Promise<StepOutcome> {
  const { secrets } = work.context;
  const bound_to = orderBinding(order.domain_id);
  if (order.private_key === null) {
    const private_key = secrets.seal(await makePrivateKey(), bound_to);
    return keep(work, { ...order, private_key });
  }
  const request = certificateRequest(openPrivateKey(secrets, order.private_key, bound_to), order.names);
  const answer = await work.authority.finalize(work.account, seen.finalize_url, request);
  if (!answer.ok) return stumbled(work, order, answer.problem);
  if (answer.value.status === 'valid') return storeIssued(work, order, answer.value);
  // It came further, perhaps long after the step before, which another worker left behind: the wait begins here.
  const outcome = await keep(work, order);
  const now = work.context.clock.now();
  return outcome === 'again' ? lookAgainAt(now, answer.retry_at, now) : outcome;
}

function stalled(work: PlacedWork, order: CertificateOrder): Promise<StepOutcome> {
  const about = order.names.length > 1 ? order.names.slice(1) : [];
  return authorityFailed(work, order, lost('the order does not come further'), about);
}

/** An order that its authority has lost is placed anew by the next attempt, not at once: it may lose each of them. */
function lost(found: string): OrderProblem {
  return { reason: 'ca_unavailable', found, at: null, until: null };
}

/** Tells why, by the authorizations that failed. */
async function orderInvalid(work: PlacedWork, order: CertificateOrder, seen: CaOrder): Promise<StepOutcome> {
  const { authority, account } = work;
  const failed: { name: string; problem: AcmeProblem }[] = [];
  for (const url of seen.authorizations) {
    const answer = await authority.authorization(account, url);
    if (!answer.ok) return stumbled(work, order, answer.problem);
    const problem = failureOf(answer.value);
    if (problem !== null) failed.push({ name: answer.value.name, problem });
  }
  const [first] = failed;
  const problem = first?.problem ?? seen.problem;
  // Nobody failed: it ran out before it was answered.
  if (problem === null) return nextAuthority(work, order, lost('the order ran out'));
  const reason = problemReason(problem, first ? 'challenge' : 'request');
  const about = first ? failed.map(({ name }) => name) : problemNames(problem);
  return authorityFailed(
    work,
    order,
    { reason, found: problem.detail || null, at: first?.name ?? null, until: null },
    about,
  );
}

function failureOf({ challenges, status }: CaAuthorization): AcmeProblem | null {
  return status === 'invalid' ? (challenges.find(({ problem }) => problem !== null)?.problem ?? null) : null;
}
