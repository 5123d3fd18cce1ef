import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../instant.ts';
import type { Domain } from './domain.ts';
import { CLOCK_TOLERANCE_MS } from './due-bounds.ts';
import type { Status } from './status.ts';

interface Band {
  /** When the band ends, counted from the start of the cadence. */
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
  // Statuses are dated up to a millisecond ahead, to keep events in order. Only a wrong clock causes a larger difference.
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
