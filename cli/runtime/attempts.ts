import { ApiError } from '../../shared/client/client-error.ts';
import { CliError } from './cli-error.ts';
import type { PresentedError } from './error-presenter.ts';

/** The results and failures of a command that took several arguments. */
export interface ArgumentResults<T> {
  done: { ref: string; value: T }[];
  failed: { ref: string; error: unknown }[];
  /** The arguments that were not tried after an error that would affect every request, such as a refused key. */
  notRun: string[];
}

/** Acts on each argument once, in order. Goes on after an error that concerns only its argument. */
export async function attemptEach<T>(
  refs: readonly string[],
  act: (ref: string) => Promise<T>,
): Promise<ArgumentResults<T>> {
  const attempts: ArgumentResults<T> = { done: [], failed: [], notRun: [] };
  const queue = [...new Set(refs)];
  for (const [index, ref] of queue.entries()) {
    try {
      attempts.done.push({ ref, value: await act(ref) });
    } catch (error) {
      attempts.failed.push({ ref, error });
      if (concernsOne(error)) continue;
      attempts.notRun = queue.slice(index + 1);
      break;
    }
  }
  return attempts;
}

const STATUSES_OF_ONE: readonly number[] = [404, 409, 422, 429];
const CODES_OF_ONE: readonly string[] = ['not_found', 'usage', 'unknown_profile'];

function concernsOne(error: unknown): boolean {
  if (error instanceof ApiError) return STATUSES_OF_ONE.includes(error.status);
  return error instanceof CliError && CODES_OF_ONE.includes(error.code);
}

const MIXED_FAILURES = 1;

/** Returns the exit code: that of the failures if they share one, else 1. Undefined if nothing failed. */
export function exitOfFailures(failures: readonly { error: PresentedError }[]): number | undefined {
  const exits = [...new Set(failures.map(({ error }) => error.exit))];
  return exits.length > 1 ? MIXED_FAILURES : exits[0];
}
