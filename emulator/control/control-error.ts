import { CaError } from '../edge/local-ca.ts';
import { SeedError } from '../seed/seed-problem.ts';

/** An error of the control surface with a code that the API does not have. */
export class ControlError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fix: string;
  readonly status_detail: Record<string, unknown> | undefined;

  constructor(
    status: number,
    code: string,
    {
      message,
      fix,
      status_detail,
    }: { message: string; fix: string; status_detail?: Record<string, unknown> },
  ) {
    super(message);
    this.name = 'ControlError';
    this.status = status;
    this.code = code;
    this.fix = fix;
    this.status_detail = status_detail;
  }
}

/** Converts an error of the emulator's own files into a response of the control surface. Returns other errors unchanged. */
export function toControlError(thrown: unknown): unknown {
  if (!(thrown instanceof SeedError || thrown instanceof CaError)) return thrown;
  const { code, message } = thrown;
  return new ControlError(FILE_ERRORS[code].status, code, { message, fix: FILE_ERRORS[code].fix });
}

const FILE_ERRORS: Record<(SeedError | CaError)['code'], Pick<ControlError, 'status' | 'fix'>> = {
  seed_invalid: {
    status: 422,
    fix: 'Correct these lines. /_emulator/seed.schema.json describes what a seed can contain.',
  },
  seed_unreadable: { status: 422, fix: 'Check that the file exists and is readable.' },
  ca_unusable: {
    status: 500,
    fix: 'Remove the file, so that the emulator creates a new one, or make it readable and writable for you.',
  },
};
