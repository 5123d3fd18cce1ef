/** An error of the command line itself. `exit-codes.ts` maps each code to an exit code. */
export class CliError extends Error {
  readonly code: string;
  /** One sentence that says what to do. */
  readonly fix: string;
  /** The HTTP status of an API error with the same meaning. It decides the exit code if the code has none. */
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
