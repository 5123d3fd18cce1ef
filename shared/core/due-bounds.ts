import { TEST_CERTIFICATE_MS } from './certificate.ts';
import { RETRIES_AFTER_MS } from './delivery.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './instant.ts';
import type { JobKind } from './job.ts';
import { LIMITS } from './limits.ts';

/** Clocks of nodes differ by as much. A row that is due later than its schedule allows, and this, was written by a clock that was ahead. */
export const CLOCK_TOLERANCE_MS = 10 * SECOND_MS;

/** No lease is longer. */
export const LEASE_MS_MAX = 5 * MINUTE_MS;

/** A daily attempt is spread by a tenth, and a wait for room by minutes. */
const DAILY_MS = DAY_MS + 3 * HOUR_MS;

/** How far ahead the schedule of each kind of job can set it. */
export const JOB_AHEAD_MS_MAX: Readonly<Record<JobKind, number>> = {
  advance: 5 * MINUTE_MS,
  flap: 5 * MINUTE_MS,
  issue: DAILY_MS,
  retry: DAILY_MS,
  expire: LIMITS.window_ms,
  renew: TEST_CERTIFICATE_MS,
  check_dns: HOUR_MS,
  probe_origin: 15 * MINUTE_MS,
  check_whitelabel: 6 * HOUR_MS,
  send_mail: DAY_MS,
  settle_hold: LEASE_MS_MAX,
  prune: DAY_MS,
};

/** How far ahead the next attempt of an event can be, by how often delivery was tried. */
export const ATTEMPT_AHEAD_MS_MAX: readonly number[] = [0, ...RETRIES_AFTER_MS];
