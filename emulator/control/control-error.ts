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
