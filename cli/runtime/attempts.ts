import { ApiError } from '../../shared/client/client-error.ts';
import { CliError } from './cli-error.ts';
import type { PresentedError } from './error-presenter.ts';

/** The results and failures of a command that took several arguments. */
export interface ArgumentResults<T> {
  done: { ref: string; value: T }[];
  failed: { ref: string; error: unknown }[];
  /** The arguments that were not tried, because an earlier error would affect every request, such as a refused key. */
  notRun: string[];
}

/** Calls `act` once for each argument, in order. Continues after an error that affects only one argument, such as `not_found`. */
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

/** Returns the exit code of a command with failures: their common exit code, or 1 if they differ. Returns undefined if nothing failed. */
export function exitOfFailures(failures: readonly { error: PresentedError }[]): number | undefined {
  const exits = [...new Set(failures.map(({ error }) => error.exit))];
  return exits.length > 1 ? MIXED_FAILURES : exits[0];
}
