import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../instant.ts';
import type { Domain } from './domain.ts';
import { CLOCK_TOLERANCE_MS } from './due-bounds.ts';
import type { Status } from './status.ts';

interface Band {
  /** The band ends this long after the start of the cadence. */
  until_ms: number;
  every_ms: number;
}

const AWAITING_DNS: readonly Band[] = [
  { until_ms: 5 * MINUTE_MS, every_ms: 10 * SECOND_MS },
  { until_ms: HOUR_MS, every_ms: MINUTE_MS },
  { until_ms: DAY_MS, every_ms: 5 * MINUTE_MS },
  { until_ms: Number.POSITIVE_INFINITY, every_ms: 30 * MINUTE_MS },
];

const LIVE: readonly Band[] = [{ until_ms: Number.POSITIVE_INFINITY, every_ms: HOUR_MS }];

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
      { until_ms: HOUR_MS, every_ms: MINUTE_MS },
      { until_ms: Number.POSITIVE_INFINITY, every_ms: 30 * MINUTE_MS },
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
  // Statuses are dated up to a millisecond ahead to keep events in order. Only a wrong clock dates one further ahead.
  const dated = domain[cadence.since];
  const since = dated > now + CLOCK_TOLERANCE_MS ? now : dated;
  let from = 0;
  let last: Instant | null = null;
  for (const { until_ms, every_ms } of cadence.bands) {
    const elapsed = Math.min(Math.max(0, now - since), until_ms);
    const passed = Math.floor((elapsed - from) / every_ms);
    if (passed > 0) last = since + from + passed * every_ms;
    if (now - since < until_ms) return { last, next: since + from + (passed + 1) * every_ms };
    from = until_ms;
  }
  return { last, next: null };
}
