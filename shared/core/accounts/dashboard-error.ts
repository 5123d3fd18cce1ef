import type { ErrorRow } from '../errors.ts';

/** Errors that the dashboard can respond with, in addition to the errors of the API. */
export const DASHBOARD_ERRORS = {
  sign_in_required: {
    status: 401,
    message: 'You are not signed in, or your session has ended.',
    fix: 'Sign in.',
  },
  sign_in_again: {
    status: 403,
    message: 'This needs a sign-in within the last ten minutes.',
    fix: 'Confirm that it is you, then repeat it.',
  },
  role_required: {
    status: 403,
    message: 'Your role does not allow this.',
    fix: 'Ask an owner of the account.',
  },
  not_invited: {
    status: 403,
    message: 'You do not belong to an account.',
    fix: 'Ask an owner of the account for an invitation.',
  },
  passkey_refused: {
    status: 403,
    message: 'This passkey was not accepted.',
    fix: 'Try it again, or sign in with a link.',
  },
  foreign_origin: {
    status: 403,
    message: 'The request came from another site.',
    fix: "Use the dashboard's own pages.",
  },
  changed_meanwhile: {
    status: 409,
    message: 'Someone else changed this while you were editing it.',
    fix: 'Look at the current values, then save again.',
  },
  already_member: {
    status: 409,
    message: 'This person is already a member.',
    fix: 'Change the role of the member instead.',
  },
  last_owner: {
    status: 409,
    message: 'The account needs at least one owner who has joined.',
    fix: 'Make another member who has joined an owner first.',
  },
  too_many: {
    status: 409,
    message: 'The account has the maximum number of these.',
    fix: 'Remove one first, or contact support.',
  },
  link_invalid: {
    status: 410,
    message: 'This link has expired, was used before, or was requested in another browser.',
    fix: 'Request a new link in this browser.',
  },
} as const satisfies Record<string, ErrorRow>;
export type DashboardErrorCode = keyof typeof DASHBOARD_ERRORS;

/** An error that only the dashboard can respond with. */
export class DashboardError extends Error {
  override name = 'DashboardError';
  readonly code: DashboardErrorCode;
  readonly fix: string;
  readonly status: number;
  readonly status_detail: Record<string, unknown> | undefined;

  constructor(
    code: DashboardErrorCode,
    options: { message?: string; status_detail?: Record<string, unknown> } = {},
  ) {
    const row = DASHBOARD_ERRORS[code];
    super(options.message ?? row.message);
    this.code = code;
    this.fix = row.fix;
    this.status = row.status;
    this.status_detail = options.status_detail;
  }
}
