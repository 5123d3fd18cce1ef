import { shellQuote } from '../output/plain-text.ts';

/** An error of the command line itself. `exit-codes.ts` maps each code to an exit code. */
export class CliError extends Error {
  readonly code: string;
  /** One sentence that says how the user can solve the problem. */
  readonly fix: string;
  /** The HTTP status of an API error with the same meaning. It determines the exit code if `code` has no exit code. */
  readonly status: number | undefined;
  readonly status_detail: Record<string, unknown> | undefined;

  constructor(
    code: string,
    message: string,
    options: { fix: string; status?: number; status_detail?: Record<string, unknown>; cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.name = 'CliError';
    this.code = code;
    this.fix = options.fix;
    this.status = options.status;
    this.status_detail = options.status_detail;
  }
}

/** Returns an error for a wrong command line, with exit code 2. */
export function usageError(message: string, fix: string): CliError {
  return new CliError('usage', message, { fix });
}

/** Returns the error to report after Ctrl-C, with exit code 130. */
export function interrupted(): CliError {
  return new CliError('interrupted', 'Interrupted.', { fix: 'Run the command again when you are ready.' });
}

/**
 * Returns the error to report after Ctrl-C while the command was waiting for domains.
 *
 * @param domain the domain that the suggested command names.
 */
export function stoppedWaiting(domain: string): CliError {
  return new CliError('interrupted', 'Stopped waiting. The domain exists and its setup continues.', {
    fix: `Run ${shellQuote(['nameplate', 'domains', 'get', domain])} to see its status.`,
  });
}

/** Returns the error to report if the user did not confirm a question, with exit code 130. */
export function answeredNo(): CliError {
  return new CliError('interrupted', 'Nothing was done.', {
    fix: 'Run the command again when you are ready.',
  });
}

/**
 * Awaits `work`. Returns its result, or null if it throws a `CliError` with this code. Throws any other error.
 *
 * @param code null throws every error.
 */
export async function nullOn<T>(code: string | null, work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof CliError && error.code === code) return null;
    throw error;
  }
}
