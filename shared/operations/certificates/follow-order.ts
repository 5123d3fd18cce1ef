import { type AcmeProblem, problemNames, problemReason } from '../../core/acme-problem.ts';
import {
  type CertificateOrder,
  lookAgainAt,
  ORDER_STALLED_MS,
  type OrderProblem,
} from '../../core/certificate-order.ts';
import type { Instant } from '../../core/instant.ts';
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
  const { authority, account } = work;
  const answer = await authority.order(account, order.order_url ?? '');
  if (!answer.ok) {
    // It is known no more: it expired while no worker followed it, say.
    if (answer.problem.status === 404) return nextAuthority(work, order, lost('the order is not known'));
    return stumbled(work, order, answer.problem);
  }
  const seen = answer.value;
  switch (seen.status) {
    case 'pending': {
      if (order.answered_at !== null) return awaitAuthority(work, order, null);
      const outcome = await answerChallenges(work, order, seen);
      return outcome === 'invalid' ? orderInvalid(work, order, seen) : outcome;
    }
    case 'ready':
      return finalize(work, order, seen);
    case 'processing':
      return awaitAuthority(work, order, answer.retry_at);
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

/** Nothing is ours to do. It has answered: a stumble before is over. */
async function awaitAuthority(
  work: PlacedWork,
  order: CertificateOrder,
  retry_at: Instant | null,
): Promise<StepOutcome> {
  const now = work.context.clock.now();
  const since = order.progressed_at;
  if (now - since > ORDER_STALLED_MS) {
    const about = order.names.length > 1 ? order.names.slice(1) : [];
    return authorityFailed(work, order, lost('the order does not come further'), about);
  }
  const outcome =
    order.stumbled_since === null
      ? 'again'
      : await keep(work, { ...order, stumbled_since: null }, undefined, since);
  return outcome === 'again' ? lookAgainAt(since, retry_at, now) : outcome;
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
