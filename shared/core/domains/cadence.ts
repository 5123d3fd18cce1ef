import { DUNNING_MS } from '../accounts/billing-state.ts';
import { isValid, TEST_CERTIFICATE_MS } from '../certificates/certificate.ts';
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../instant.ts';
import { LIMITS } from '../limits.ts';
import { RETRIES_AFTER_MS } from '../webhooks/delivery.ts';
import type { Domain } from './domain.ts';
import type { JobKind } from './job.ts';
import { isAwaitingDns, type Status } from './status.ts';

interface Band {
  /** Checks come every `everyMs` until this long after the start of the cadence. */
  untilMs: number;
  everyMs: number;
}

const AWAITING_DNS: readonly Band[] = [
  { untilMs: 5 * MINUTE_MS, everyMs: 10 * SECOND_MS },
  { untilMs: HOUR_MS, everyMs: MINUTE_MS },
  { untilMs: DAY_MS, everyMs: 5 * MINUTE_MS },
  { untilMs: Number.POSITIVE_INFINITY, everyMs: 30 * MINUTE_MS },
];

const LIVE: readonly Band[] = [{ untilMs: Number.POSITIVE_INFINITY, everyMs: HOUR_MS }];

/** How often a domain's DNS is checked, by status (`docs/domains.md`). Domains in other statuses are not checked. */
const CADENCE: Partial<
  Record<Status, { bands: readonly Band[]; since: 'window_opened_at' | 'status_since' }>
> = {
  pending_dns: { bands: AWAITING_DNS, since: 'window_opened_at' },
  verifying: { bands: AWAITING_DNS, since: 'window_opened_at' },
  issuing: { bands: LIVE, since: 'status_since' },
  active: { bands: LIVE, since: 'status_since' },
  cert_failed: { bands: LIVE, since: 'status_since' },
  dns_broken: {
    bands: [
      { untilMs: HOUR_MS, everyMs: MINUTE_MS },
      { untilMs: Number.POSITIVE_INFINITY, everyMs: 30 * MINUTE_MS },
    ],
    since: 'status_since',
  },
};

export interface Checks {
  last: Instant | null;
  next: Instant | null;
}

/** Returns the latest scheduled check up to `now`, and the next one. */
export function scheduledChecks(
  domain: Pick<Domain, 'status' | 'status_since' | 'window_opened_at'>,
  now: Instant,
): Checks {
  const cadence = CADENCE[domain.status];
  if (cadence === undefined) return { last: null, next: null };
  // A status may begin up to a millisecond in the future, to keep events in order. Only a wrong clock causes a larger difference.
  const dated = domain[cadence.since];
  const since = dated > now + CLOCK_TOLERANCE_MS ? now : dated;
  let from = 0;
  let last: Instant | null = null;
  for (const { untilMs, everyMs } of cadence.bands) {
    const elapsed = Math.min(Math.max(0, now - since), untilMs);
    const passed = Math.floor((elapsed - from) / everyMs);
    if (passed > 0) last = since + from + passed * everyMs;
    if (now - since < untilMs) return { last, next: since + from + (passed + 1) * everyMs };
    from = untilMs;
  }
  return { last, next: null };
}

/**
 * The largest difference allowed between the clocks of nodes. If a row is scheduled further ahead than its limit plus this difference, the
 * node that wrote the row had a wrong clock.
 */
export const CLOCK_TOLERANCE_MS = 10 * SECOND_MS;

/** The longest lease of any kind. */
export const LEASE_MS_MAX = 5 * MINUTE_MS;

/** How far ahead a daily attempt can be: a day, a tenth of a day by which attempts are spread, and some time in a queue. */
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
  reconcile_edges: DAY_MS,
};

/** How far ahead an event's next delivery attempt can be scheduled, by the number of attempts so far. */
export const ATTEMPT_AHEAD_MS_MAX: readonly number[] = [0, ...RETRIES_AFTER_MS];

/**
 * Returns when to check again for a missing proof of ownership. The proof permits a certificate before the record leads to us
 * (`docs/moving-in.md`).
 */
export function nextProofCheckAt(
  { window_opened_at }: Pick<Domain, 'window_opened_at'>,
  now: Instant,
): Instant {
  const openMs = now - window_opened_at;
  if (openMs < 10 * MINUTE_MS) return now + MINUTE_MS;
  return now + (openMs < DAY_MS ? 15 * MINUTE_MS : HOUR_MS);
}

/**
 * Returns when to check again whether a proof of ownership still exists. @param lacksWww whether `www` is still to be added to the
 * certificate.
 */
export function nextPreparedCheckAt(
  domain: Pick<Domain, 'window_opened_at'>,
  lacksWww: boolean,
  now: Instant,
): Instant {
  return lacksWww ? nextProofCheckAt(domain, now) : now + DAY_MS;
}

/** The longest time for which a domain with a proof of ownership waits until its record points to us. */
export const PREPARED_MS_MAX = 90 * DAY_MS;

/**
 * Returns the start of the 72 hours for a domain with a proof of ownership. For such a domain, the window never opened more than a day ago.
 * So the window is still open at the next check of the proof, and the record is checked as rarely as on the second day.
 */
export function windowWhileProven(
  { window_opened_at, status_since }: Pick<Domain, 'window_opened_at' | 'status_since'>,
  now: Instant,
): Instant {
  return now - status_since < PREPARED_MS_MAX ? Math.max(window_opened_at, now - DAY_MS) : window_opened_at;
}

/** Returns whether the domain has a certificate although its record is not confirmed: `ready_to_switch` of `docs/api.md#domain`. */
export function isPrepared(
  { status, certificate }: Pick<Domain, 'status' | 'certificate'>,
  now: Instant,
): boolean {
  return isAwaitingDns(status) && isValid(certificate, now);
}
