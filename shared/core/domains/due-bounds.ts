import { DUNNING_MS } from '../accounts/dunning.ts';
import { TEST_CERTIFICATE_MS } from '../certificates/certificate.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../instant.ts';
import { LIMITS } from '../limits.ts';
import { RETRIES_AFTER_MS } from '../webhooks/delivery.ts';
import type { JobKind } from './job.ts';

/**
 * The largest clock difference allowed between nodes. If a row is due later than its limit plus this, the node that wrote it had a clock
 * that was ahead.
 */
export const CLOCK_TOLERANCE_MS = 10 * SECOND_MS;

/** The longest lease of any kind. */
export const LEASE_MS_MAX = 5 * MINUTE_MS;

/** A day, plus a tenth of a day by which daily attempts are spread, plus some time for waiting in a queue. */
const DAILY_MS = DAY_MS + 3 * HOUR_MS;

/** How far ahead each kind of job can be scheduled. */
export const JOB_AHEAD_MS_MAX: Readonly<Record<JobKind, number>> = {
  advance: 5 * MINUTE_MS,
  flap: 5 * MINUTE_MS,
  issue: DAILY_MS,
  prepare: DAILY_MS,
  retry: DAILY_MS,
  expire: LIMITS.window_ms,
  renew: TEST_CERTIFICATE_MS,
  revoke: HOUR_MS,
  check_dns: HOUR_MS,
  probe_origin: 15 * MINUTE_MS,
  check_whitelabel: 6 * HOUR_MS,
  send_mail: DAY_MS,
  send_link: DAY_MS,
  send_invite: DAY_MS,
  send_account_mail: DAY_MS,
  trial_mail: LIMITS.trial_ms,
  sync_billing: DAY_MS,
  dunning: DUNNING_MS,
  apply_hold: LEASE_MS_MAX,
  end_deliveries: LEASE_MS_MAX,
  prune: DAY_MS,
};

/** How far ahead an event's next delivery attempt can be scheduled, by the number of attempts so far. */
export const ATTEMPT_AHEAD_MS_MAX: readonly number[] = [0, ...RETRIES_AFTER_MS];
