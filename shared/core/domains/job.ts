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
import type { Instant } from '../instant.ts';

/** Kinds of scheduled work. The database has at most one row for each kind and subject (`CONTRIBUTING.md`). */
export const JOB_KINDS = [
  /** Moves a domain on the test timer one step towards `active`. */
  'advance',
  /** Switches a `dns-flapping` test domain between its two statuses. */
  'flap',
  /** Obtains the first certificate of a live domain. */
  'issue',
  /** Obtains the certificate of a live domain before its record leads to us. */
  'prepare',
  /** Retries the issuance for a domain in `cert_failed`, daily. */
  'retry',
  /** Ends the 72-hour window of a domain on the test timer. For other domains, a check does that (`dns-verdict.ts`). */
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
  /** Applies a new hold or release to the domains that it covers (`hold-hostname.ts`). */
  'apply_hold',
  /** Ends the deliveries of an app that cleared its webhook URL. */
  'end_deliveries',
  /** Deletes rows whose retention period has ended. */
  'prune',
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

/** Kinds of jobs that keep the emulator busy. It is idle if none of these jobs is due and no delivery is (`docs/emulator.md`). */
export const JOB_KINDS_THAT_WAKE: readonly JobKind[] = ['advance', 'prepare', 'send_mail', 'end_deliveries'];
