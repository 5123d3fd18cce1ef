import { BUDGETS, type BudgetNameOf } from '../budgets.ts';
import { HOUR_MS, MINUTE_MS } from '../instant.ts';
import type { JobKind } from './job.ts';

/** A class of jobs that wait for the same resource. Each class has its own slots, so that one slow resource does not block other jobs. */
export interface JobClass {
  /** Maximum number of jobs of the class that a node runs at once. */
  inFlightMax: number;
  /**
   * Maximum for the apps of one account while no other account has a job of the class. As soon as others have, each account gets the same
   * fraction of the free slots.
   */
  inFlightPerAccountMax: number;
  /** Longest delay before a retry. A failed job is retried after 1 minute, then 2, 4, …, up to this delay. */
  retryMsMax: number;
}

export type JobClassName = 'ours' | 'dns' | 'origins' | 'certificates' | 'mail' | 'sign_in' | 'billing';

export const JOB_CLASSES: Readonly<Record<JobClassName, JobClass>> = {
  /** Jobs that wait only for our own database, which has few connections. */
  ours: { ...slotsOf('jobs_ours'), retryMsMax: MINUTE_MS },
  /** Jobs that wait for customers' name servers, which may not respond. A waiting job uses almost no resources. */
  dns: { ...slotsOf('jobs_dns'), retryMsMax: MINUTE_MS },
  /** Jobs that wait for an app's own server. */
  origins: { ...slotsOf('jobs_origins'), retryMsMax: MINUTE_MS },
  /** Jobs that wait for certificate authorities. */
  certificates: { ...slotsOf('jobs_certificates'), retryMsMax: MINUTE_MS },
  /** Jobs that wait for the operator's mail server. Each opens a connection, and mail servers limit the connections of a client. */
  mail: { ...slotsOf('jobs_mail'), retryMsMax: 4 * HOUR_MS },
  /**
   * Jobs that send a sign-in link. They have their own slots, so that many invitations or notices delay no sign-in. A link expires after 15
   * minutes, so a retry must not wait for long.
   */
  sign_in: { inFlightMax: 4, inFlightPerAccountMax: 2, retryMsMax: 4 * MINUTE_MS },
  /** Jobs that wait for the billing provider, which limits requests per second. These jobs belong to no app. */
  billing: { inFlightMax: 4, inFlightPerAccountMax: 2, retryMsMax: HOUR_MS },
};

export const CLASS_OF: Readonly<Record<JobKind, JobClassName>> = {
  advance: 'ours',
  flap: 'ours',
  expire: 'ours',
  apply_hold: 'ours',
  end_deliveries: 'ours',
  prune: 'ours',
  check_dns: 'dns',
  check_whitelabel: 'dns',
  probe_origin: 'origins',
  issue: 'certificates',
  prepare: 'certificates',
  retry: 'certificates',
  renew: 'certificates',
  revoke: 'certificates',
  send_mail: 'mail',
  send_link: 'sign_in',
  send_invite: 'mail',
  send_account_mail: 'mail',
  trial_mail: 'ours',
  sync_billing: 'billing',
  dunning: 'billing',
};

/** Returns the delay before a job is retried after `attempts` failed attempts. */
export function retryAfterMs(kind: JobKind, attempts: number): number {
  return Math.min(MINUTE_MS * 2 ** (attempts - 1), JOB_CLASSES[CLASS_OF[kind]].retryMsMax);
}

/** Returns the slots of a budget. */
export function slotsOf(
  name: Extract<BudgetNameOf<'share'>, 'deliveries' | `jobs_${string}`>,
): Pick<JobClass, 'inFlightMax' | 'inFlightPerAccountMax'> {
  const { of, parts } = BUDGETS[name];
  return { inFlightMax: of, inFlightPerAccountMax: of / parts };
}
