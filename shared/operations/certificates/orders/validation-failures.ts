import { type AcmeProblem, problemReason } from '../../../core/certificates/acme-problem.ts';
import type { CertificateOrder } from '../../../core/certificates/certificate-order.ts';
import type { CaChallenge, CaOrder } from '../../../ports/certificate-authority.ts';
import { authorityFailed } from './attempt-failed.ts';
import type { PlacedWork, StepOutcome } from './order-work.ts';
import { retryTransient } from './place-order.ts';

/** The last failed validation of a name: the `error` of its challenge (RFC 8555 section 8). */
export interface ValidationFailure {
  name: string;
  /** The status of the challenge. `invalid` is final. */
  status: CaChallenge['status'];
  problem: AcmeProblem;
}

/** Returns the failed validations of an order. Leaves out names that were validated since. */
export async function validationFailures(
  { authority, account, ...work }: PlacedWork,
  order: CertificateOrder,
  seen: CaOrder,
): Promise<ValidationFailure[] | { outcome: StepOutcome }> {
  const failures: ValidationFailure[] = [];
  for (const url of seen.authorizations) {
    const answer = await authority.authorization(account, url);
    if (!answer.ok)
      return { outcome: await retryTransient({ ...work, authority, account }, order, answer.problem) };
    const { name, status, challenges } = answer.value;
    if (status === 'valid') continue;
    const failed = challenges.filter(({ problem }) => problem !== null);
    const [challenge] = [...failed.filter((each) => each.status === 'invalid'), ...failed];
    if (!challenge?.problem) continue;
    failures.push({
      name,
      status: status === 'invalid' ? status : challenge.status,
      problem: challenge.problem,
    });
  }
  return failures;
}

/** Fails the attempt with the authority's error for the first name. */
export function validationFailed(
  work: PlacedWork,
  order: CertificateOrder,
  failures: readonly [ValidationFailure, ...ValidationFailure[]],
): Promise<StepOutcome> {
  const [{ name: at, problem }] = failures;
  const told = {
    reason: problemReason(problem, 'challenge'),
    found: problem.detail || null,
    at,
    until: null,
  };
  const about = failures.map(({ name }) => name);
  return authorityFailed(work, order, told, about);
}

/** Returns whether a list is not empty, and narrows its type. */
export function anyFailed(
  failures: readonly ValidationFailure[],
): failures is readonly [ValidationFailure, ...ValidationFailure[]] {
  return failures.length > 0;
}
