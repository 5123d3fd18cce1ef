import { type ChallengeMethod, keyAuthorization } from '../../../core/certificates/acme-challenge.ts';
import { type AcmeProblem, problemReason } from '../../../core/certificates/acme-problem.ts';
import {
  answerAgainAt,
  type CertificateOrder,
  checkEdgeAgainAt,
  EDGE_PATIENCE_MS,
  type OrderProblem,
  pollAgainAt,
} from '../../../core/certificates/certificate-order.ts';
import { isAwaitingDns } from '../../../core/domains/status.ts';
import { type Instant, SECOND_MS } from '../../../core/instant.ts';
import type { CaAuthorization, CaChallenge } from '../../../ports/certificates.ts';
import type { EdgeView } from '../../../ports/outbound.ts';
import type { Challenge } from '../../../store/certificates/challenges.ts';
import { underLease } from '../../under-lease.ts';
import { openChallenge } from '../open-challenges.ts';
import { redirectTarget } from '../redirected-challenges.ts';
import { LEASE_LOST, type OrderWork, type PlacedWork, type StepOutcome } from './step-outcome.ts';

interface OpenChallenge extends Challenge {
  url: string;
}

/** If our edge has not served the challenge response for this long, each further attempt uses the next method. */
const METHOD_MS = 5 * SECOND_MS;

/**
 * Publishes the open challenges to every edge and checks that the edge answers them. Only then asks the authority to validate, because the
 * authority validates from several places and counts each failure.
 * @param pending the authorizations that are still pending at the authority.
 */
export async function answerChallenges(
  work: PlacedWork,
  order: CertificateOrder,
  pending: readonly CaAuthorization[],
): Promise<StepOutcome> {
  const { context, authority, account, issuance, domain } = work;
  const open = openChallenges(work, order, pending);
  if (!open.ok) return { kind: 'failed', order, problem: open.problem, about: [] };
  if (!(await publish(work, open.challenges))) return LEASE_LOST;
  // Until the hostname points to us, the authority reaches us through a redirect by the old host.
  const target = isAwaitingDns(domain.status) ? await redirectTarget(context, domain) : null;
  const host = target === null ? {} : { redirected_to: target };
  const answered = await Promise.all(
    open.challenges.map((challenge) => issuance.edge.answersChallenge({ ...challenge, ...host })),
  );
  if (answered.some((each) => each !== true)) return edgeNotReady(work, order, answered);
  let retryAt: Instant | null = null;
  for (const { url } of open.challenges) {
    const answer = await authority.challengeReady(account, url);
    if (!answer.ok) return { kind: 'retry', order, problem: answer.problem };
    retryAt = answer.retryAt === null ? retryAt : Math.max(answer.retryAt, retryAt ?? 0);
  }
  const now = context.clock.now();
  const answeredTimes = order.answered_times + 1;
  return {
    kind: 'advance',
    order: {
      ...order,
      answered_times: answeredTimes,
      answer_again_at: answerAgainAt(answeredTimes, retryAt, now),
      unshown_since: null,
    },
    dueAt: pollAgainAt(now, retryAt, now),
  };
}

/**
 * Chooses a challenge for each authorization: the first of the order's methods that the authorization offers.
 * @returns a problem if an authorization offers none of the methods.
 */
function openChallenges(
  { account, domain }: PlacedWork,
  { names, methods }: CertificateOrder,
  pending: readonly CaAuthorization[],
): { ok: true; challenges: OpenChallenge[] } | { ok: false; problem: OrderProblem } {
  const open: OpenChallenge[] = [];
  for (const { name, challenges } of pending) {
    // Never answer the challenge of a name that is not in our order.
    const offered = names.includes(name)
      ? methods.map((method) => challenges.find(({ type }) => type === method)).find((each) => each)
      : undefined;
    if (offered === undefined) {
      const found = 'no challenge that we answer';
      return { ok: false, problem: { reason: 'ca_rejected', found, at: name, until: null } };
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
  return { ok: true, challenges: open };
}

/** Stores the challenges in the database, where every edge reads them. @returns null if another worker holds the lease. */
function publish({ context, job }: PlacedWork, challenges: readonly OpenChallenge[]): Promise<true | null> {
  return underLease(context, job, async (tx) => {
    for (const { url: _, ...challenge } of challenges) await openChallenge(tx, challenge);
    return true;
  });
}

function edgeNotReady(work: PlacedWork, order: CertificateOrder, answered: readonly EdgeView[]): StepOutcome {
  const now = work.context.clock.now();
  const patient = now - (order.unshown_since ?? now) < METHOD_MS;
  const methods = patient ? order.methods : [...order.methods.slice(1), ...order.methods.slice(0, 1)];
  // Clears `failing_since`, the time of an earlier transient failure, because the authority has responded since.
  const seen = answered.includes(false) ? false : (answered.find((each) => each !== true) ?? false);
  return awaitEdge(work, { ...order, methods, failing_since: null }, 'the answer to a challenge', seen);
}

/** The last failed validation of a name: the `error` of its challenge (RFC 8555 section 8). */
export interface ValidationFailure {
  name: string;
  /** The status of the challenge. `invalid` is final. */
  status: CaChallenge['status'];
  problem: AcmeProblem;
}

/** Returns the failed validations of an order. Leaves out names that have since been validated. */
export function validationFailures(authorizations: readonly CaAuthorization[]): ValidationFailure[] {
  return authorizations.flatMap(({ name, status, challenges }) => {
    if (status === 'valid') return [];
    const failed = challenges.filter(({ problem }) => problem !== null);
    const [challenge] = [...failed.filter((each) => each.status === 'invalid'), ...failed];
    if (!challenge?.problem) return [];
    return { name, status: status === 'invalid' ? status : challenge.status, problem: challenge.problem };
  });
}

/** Returns the failure of an order, with the authority's error for the first failed name. */
export function failValidation(
  order: CertificateOrder,
  failures: readonly [ValidationFailure, ...ValidationFailure[]],
): StepOutcome {
  const [{ name: at, problem }] = failures;
  return {
    kind: 'failed',
    order,
    problem: {
      reason: problemReason(problem, 'challenge'),
      found: problem.detail || null,
      at,
      until: null,
    },
    about: failures.map(({ name }) => name),
  };
}

/** Returns whether the list has failures, and narrows its type. */
export function anyFailed(
  failures: readonly ValidationFailure[],
): failures is readonly [ValidationFailure, ...ValidationFailure[]] {
  return failures.length > 0;
}

/** The log message if no edge address responds. In many networks, a node cannot reach its own public address. */
const UNREACHABLE =
  'our edge does not respond to this node. If it responds elsewhere, set NAMEPLATE_EDGE_PROBE_ADDRESSES or NAMEPLATE_DNS_PROBE_ADDRESSES to addresses that this node reaches';

/**
 * Waits until our edge serves the challenge or the certificate, with growing intervals between checks, and finally ends the attempt as
 * failed. Such a failure is not attributed to the authority, because the authority was not contacted.
 * @param missing what the edge does not serve yet, for the log.
 * @param seen the result of the check, with the edge addresses if none of them responded to this node.
 * @param reason the reason of the failure if the edge never serves it.
 */
export function awaitEdge(
  { context: { clock, log } }: OrderWork,
  order: CertificateOrder,
  missing: string,
  seen: EdgeView,
  reason: 'edge_not_ready' | 'proxy_https_failed' = 'edge_not_ready',
): StepOutcome {
  const now = clock.now();
  const since = order.unshown_since ?? now;
  const { domain_id, names, methods } = order;
  const silent = typeof seen === 'boolean' ? null : seen.unreachable;
  const details = { domain_id, names, methods, missing, addresses: silent, waited_ms: now - since };
  log.warn(details, silent === null ? 'our edge is not ready' : UNREACHABLE);
  if (now - since >= EDGE_PATIENCE_MS) {
    const found = silent === null ? missing : `no response from ${silent.join(', ')} to the node that checks`;
    const problem = { reason, found, at: null, until: null } as const;
    const blameless = { ...order, ca: null, tried: [] };
    return { kind: 'unobtained', order: blameless, problem, obstacles: { place: null, failed: true } };
  }
  return { kind: 'wait', order: { ...order, unshown_since: since }, dueAt: checkEdgeAgainAt(since, now) };
}
