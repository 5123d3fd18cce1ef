import type { Instant } from '../instant.ts';

/** What the service still owes, by kind; one row per kind and subject (`CONTRIBUTING.md`). */
export const JOB_KINDS = [
  /** A domain on the timer takes its next step towards `active`. */
  'advance',
  /** A `dns-flapping` test domain turns. */
  'flap',
  /** A live domain's first certificate is obtained. */
  'issue',
  /** The daily retry of a domain in `cert_failed`. */
  'retry',
  /** The 72-hour window of a domain on the timer passes; of the others a check ends it (`dns-verdict.ts`). */
  'expire',
  /** A certificate is due for renewal, or has lapsed. */
  'renew',
  /** A domain's DNS is looked up. */
  'check_dns',
  /** An app's origin is probed. */
  'probe_origin',
  /** An app's white-label host is checked. */
  'check_whitelabel',
  /** A subscriber of a connect page is sent the mail that is due. */
  'send_mail',
  /** The domains of a name follow a hold or a release that was decided (`hold-hostname.ts`). */
  'settle_hold',
  /** What was kept long enough is deleted. */
  'prune',
] as const;
export type JobKind = (typeof JOB_KINDS)[number];

export interface DueJob {
  kind: JobKind;
  due_at: Instant;
}

/** The emulator is idle when none of these is due and no delivery is (`docs/emulator.md`). */
export const JOB_KINDS_THAT_WAKE: readonly JobKind[] = ['advance', 'send_mail'];
