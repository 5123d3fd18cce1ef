import { CaError } from '../edge/local-ca.ts';
import { SeedError } from '../seed/seed-error.ts';

/** What the control surface answers beyond the codes of the API: it is not part of the contract. */
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

/** @returns what is wrong with the emulator's own files, as the control surface tells it; anything else as it is. */
export function toControlError(thrown: unknown): unknown {
  if (!(thrown instanceof SeedError || thrown instanceof CaError)) return thrown;
  const { code, message } = thrown;
  return new ControlError(FILE_ERRORS[code].status, code, { message, fix: FILE_ERRORS[code].fix });
}

const FILE_ERRORS: Record<(SeedError | CaError)['code'], Pick<ControlError, 'status' | 'fix'>> = {
  seed_invalid: {
    status: 422,
    fix: 'Correct these lines; what can stand there is at /_emulator/seed.schema.json.',
  },
  seed_unreadable: { status: 422, fix: 'See that the file is there and can be read.' },
  ca_unusable: {
    status: 500,
    fix: 'Remove that file, or see that you may read and write it: another one is made.',
  },
};
