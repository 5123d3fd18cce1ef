import { type ChallengeMethod, keyAuthorization } from '../../../core/certificates/acme-challenge.ts';
import {
  answerAgainAt,
  type CertificateOrder,
  pollAgainAt,
} from '../../../core/certificates/certificate-order.ts';
import { type Instant, SECOND_MS } from '../../../core/instant.ts';
import type { CaOrder } from '../../../ports/certificate-authority.ts';
import { type Challenge, saveChallenge } from '../../../store/certificates/challenges.ts';
import { authorityFailed } from './attempt-failed.ts';
import { awaitEdge } from './await-edge.ts';
import { type PlacedWork, type StepOutcome, saveOrder } from './order-work.ts';
import { retryTransient } from './place-order.ts';

interface OpenChallenge extends Challenge {
  url: string;
}

/** If our edge does not answer by one method for this long, each further attempt tries the next method. */
const METHOD_MS = 5 * SECOND_MS;

/**
 * Publishes the open challenges to every edge and checks that the edge answers them. Only then tells the authority, which validates from
 * several places and counts each failure.
 * @returns `invalid` if one of the challenges has already failed.
 */
export async function answerChallenges(
  work: PlacedWork,
  order: CertificateOrder,
  seen: CaOrder,
): Promise<StepOutcome | 'invalid'> {
  const { context, authority, account, issuance } = work;
  const found = await openChallenges(work, order, seen);
  if (!Array.isArray(found)) return found.outcome;
  const kept = await saveChallenges(work, order, found);
  if (kept !== 'again') return kept;
  const answered = await Promise.all(found.map((challenge) => issuance.edge.answersChallenge(challenge)));
  if (answered.includes(false)) return edgeNotReady(work, order);
  let retryAt: Instant | null = null;
  for (const { url } of found) {
    const answer = await authority.challengeReady(account, url);
    if (!answer.ok) return retryTransient(work, order, answer.problem);
    retryAt = answer.retryAt === null ? retryAt : Math.max(answer.retryAt, retryAt ?? 0);
  }
  const now = context.clock.now();
  const answeredTimes = order.answered_times + 1;
  const nextAnswerAt = answerAgainAt(answeredTimes, retryAt, now);
  const outcome = await saveOrder(work, {
    ...order,
    answered_times: answeredTimes,
    answer_again_at: nextAnswerAt,
    unshown_since: null,
  });
  return outcome === 'again' ? pollAgainAt(now, retryAt, now) : outcome;
}

/** Returns the challenges that the authority still waits for, each by the first of our methods that it offers. */
async function openChallenges(
  work: PlacedWork,
  order: CertificateOrder,
  seen: CaOrder,
): Promise<OpenChallenge[] | { outcome: StepOutcome | 'invalid' }> {
  const { authority, account, domain } = work;
  const open: OpenChallenge[] = [];
  for (const url of seen.authorizations) {
    const answer = await authority.authorization(account, url);
    if (!answer.ok) return { outcome: await retryTransient(work, order, answer.problem) };
    const { name, status, challenges } = answer.value;
    if (status === 'valid') continue;
    if (status !== 'pending') return { outcome: 'invalid' };
    // Never answer for a name that is not in our order.
    const offered = order.names.includes(name)
      ? order.methods.map((method) => challenges.find(({ type }) => type === method)).find((each) => each)
      : undefined;
    if (offered === undefined) {
      const problem = {
        reason: 'ca_rejected',
        found: 'no challenge that we answer',
        at: name,
        until: null,
      } as const;
      return { outcome: await authorityFailed(work, order, problem) };
    }
    open.push({
      url: offered.url,
      hostname: name,
      token: offered.token,
      domain_id: domain.id,
      method: offered.type as ChallengeMethod,
      key_authorization: keyAuthorization(offered.token, account.private_key),
    });
  }
  return open;
}

/** Stores the challenges if this worker still holds the lease. They do not count as progress of the order. */
function saveChallenges(
  work: PlacedWork,
  order: CertificateOrder,
  open: readonly OpenChallenge[],
): Promise<StepOutcome> {
  return saveOrder(
    work,
    order,
    async (tx) => {
      for (const { url: _, ...challenge } of open) await saveChallenge(tx.store, challenge);
    },
    order.progressed_at,
  );
}

function edgeNotReady(work: PlacedWork, order: CertificateOrder): Promise<StepOutcome> {
  const now = work.context.clock.now();
  const patient = now - (order.unshown_since ?? now) < METHOD_MS;
  const methods = patient ? order.methods : [...order.methods.slice(1), ...order.methods.slice(0, 1)];
  // The authority has responded to every request, so an earlier transient failure is over.
  return awaitEdge(work, { ...order, methods, failing_since: null }, 'the answer to a challenge');
}
