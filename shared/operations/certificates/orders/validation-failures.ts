import { type AcmeProblem, problemReason } from '../../../core/certificates/acme-problem.ts';
import type { CertificateOrder } from '../../../core/certificates/certificate-order.ts';
import type { CaAuthorization, CaChallenge } from '../../../ports/certificates.ts';
import type { StepOutcome } from './step-outcome.ts';

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

/** Fails the order with the authority's error for the first name. */
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

/** Returns whether a list is not empty, and narrows its type. */
export function anyFailed(
  failures: readonly ValidationFailure[],
): failures is readonly [ValidationFailure, ...ValidationFailure[]] {
  return failures.length > 0;
}
