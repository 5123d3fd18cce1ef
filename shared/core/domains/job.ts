import { BUDGETS, type BudgetNameOf } from '../budgets.ts';
import type {
  AccountId,
  AccountMailId,
  AppId,
  CertificateId,
  DomainId,
  MemberId,
  SignInLinkId,
  SubscriptionId,
} from '../ids.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from '../instant.ts';
import type { Settings } from '../settings.ts';

/** Kinds of scheduled work. The database has at most one row for each kind and subject (`CONTRIBUTING.md`). */
export const JOB_KINDS = [
  /** Moves a domain on the test timer one step towards `active`. */
  'advance',
  /** Switches a `dns-flapping` test domain between its two statuses. */
  'flap',
  /** Obtains the first certificate of a live domain. */
  'issue',
  /** Obtains the certificate of a live domain before the domain's record points to us. */
  'prepare',
  /** Retries the issuance for a domain in `cert_failed`, daily. */
  'retry',
  /** Ends the 72-hour window of a domain on the test timer. Other domains expire in a DNS check (`dns-verdict.ts`). */
  'expire',
  /** Renews a certificate that is due or has expired. */
  'renew',
  /** Revokes a certificate of a deleted domain. */
  'revoke',
  /** Looks up a domain's DNS. */
  'check_dns',
  /** Probes an app's origin. */
  'probe_origin',
  /** Checks an app's white-label host. */
  'check_whitelabel',
  /** Sends the mail that is due to a person who subscribed on a connect page. */
  'send_mail',
  /** Sends a sign-in link of the dashboard. */
  'send_link',
  /** Sends an invitation to a new member of an account. */
  'send_invite',
  /** Sends a mail to an owner of an account. */
  'send_account_mail',
  /** Tells the owners of an account that its trial ends. */
  'trial_mail',
  /** Reads the state of an account's customer from the billing provider. */
  'sync_billing',
  /** Tells the owners of an account that a payment failed, and suspends the account after a week. */
  'dunning',
  /** Applies a new hold, or its release, to the domains that the hold covers (`hold-hostname.ts`). */
  'apply_hold',
  /** Ends the deliveries of an app that cleared its webhook URL. */
  'end_deliveries',
  /** Deletes rows whose retention period has ended. */
  'prune',
  /** Derives the values of edges again (`reconcile-edge-values.ts`). */
  'reconcile_edges',
] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** The type of `subject_id` in the jobs of each kind. */
export interface JobSubjects extends Record<JobKind, string> {
  advance: DomainId;
  flap: DomainId;
  issue: DomainId;
  prepare: DomainId;
  retry: DomainId;
  expire: DomainId;
  renew: DomainId;
  revoke: CertificateId;
  check_dns: DomainId;
  probe_origin: AppId;
  check_whitelabel: AppId;
  end_deliveries: AppId;
  send_mail: SubscriptionId;
  send_link: SignInLinkId;
  send_invite: MemberId;
  send_account_mail: AccountMailId;
  trial_mail: AccountId;
  sync_billing: AccountId;
  dunning: AccountId;
}
/** The kinds whose subject is a domain. */
export type DomainJobKind = { [Kind in JobKind]: JobSubjects[Kind] extends DomainId ? Kind : never }[JobKind];

export interface DueJob {
  kind: JobKind;
  due_at: Instant;
}

/** Kinds of jobs that keep the emulator busy. The emulator is idle if none of these jobs and no delivery is due (`docs/emulator.md`). */
export const JOB_KINDS_THAT_WAKE: readonly JobKind[] = ['advance', 'prepare', 'send_mail', 'end_deliveries'];

/** The latest time that RFC 3339 can express. */
const NEVER: Instant = Date.UTC(9999, 11, 31);

/**
 * Returns the end of a lease that starts now. After the end, another worker can take over the work. With a single process, a lease never
 * ends.
 */
export function leaseEnd(
  { singleProcess }: Pick<Settings, 'singleProcess'>,
  now: Instant,
  leaseMs: number,
): Instant {
  return singleProcess ? NEVER : now + leaseMs;
}

/** A class of jobs that wait for the same resource. Each class has its own slots, so that one slow resource does not block other jobs. */
export interface JobClass {
  /** Maximum number of jobs of the class that a node runs at once. */
  inFlightMax: number;
  /**
   * Maximum number of jobs that one account's apps run at once while no other account has a job of the class. As soon as another account
   * has such a job, each account gets the same fraction of the free slots.
   */
  inFlightPerAccountMax: number;
  /** Longest delay before a retry. A failed job is retried after 1 minute, then 2, 4, …, up to this delay. */
  retryMsMax: number;
}

export type JobClassName = 'ours' | 'dns' | 'origins' | 'certificates' | 'mail' | 'sign_in' | 'billing';

export const JOB_CLASSES: Readonly<Record<JobClassName, JobClass>> = {
  /** Jobs that wait only for our own database, which has few connections. */
  ours: { ...slotsOf('jobs_ours'), retryMsMax: MINUTE_MS },
  /**
   * Jobs that wait for customers' name servers, which may be slow. There are many slots, because a waiting job uses almost no resources.
   */
  dns: { ...slotsOf('jobs_dns'), retryMsMax: MINUTE_MS },
  /** Jobs that wait for an app's own server. */
  origins: { ...slotsOf('jobs_origins'), retryMsMax: MINUTE_MS },
  /** Jobs that wait for certificate authorities. */
  certificates: { ...slotsOf('jobs_certificates'), retryMsMax: MINUTE_MS },
  /** Jobs that wait for the operator's mail server. Each job opens a connection, and mail servers limit the connections of a client. */
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
  reconcile_edges: 'ours',
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

/** Returns how many slots a budget gives to a class of jobs, and to one account. */
export function slotsOf(
  name: Extract<BudgetNameOf<'share'>, 'deliveries' | `jobs_${string}`>,
): Pick<JobClass, 'inFlightMax' | 'inFlightPerAccountMax'> {
  const { of, parts } = BUDGETS[name];
  return { inFlightMax: of, inFlightPerAccountMax: of / parts };
}
