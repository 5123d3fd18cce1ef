import { type ServiceError, validationFailed } from '../errors.ts';
import { DAY_MS, HOUR_MS, type Instant, timestamp } from '../instant.ts';
import { LIMITS } from '../limits.ts';

export const TRAFFIC_INTERVALS = ['hour', 'day'] as const;
export type TrafficInterval = (typeof TRAFFIC_INTERVALS)[number];

export const INTERVAL_MS: Readonly<Record<TrafficInterval, number>> = { hour: HOUR_MS, day: DAY_MS };
/** Number of hours or days to return if the request does not say when to start. */
const DEFAULT_BUCKETS: Readonly<Record<TrafficInterval, number>> = { hour: 24, day: 30 };

/** A range of whole hours or days in UTC. */
export interface TrafficRange {
  interval: TrafficInterval;
  since: Instant;
  /** The end, which is not part of the range. */
  until: Instant;
}

interface Wanted {
  interval: TrafficInterval;
  since: Instant | null;
  until: Instant | null;
}

/** Returns how long hourly or daily counts are stored. */
export function trafficKeptMs(interval: TrafficInterval, retentionMs: number): number {
  return interval === 'hour' ? Math.min(LIMITS.traffic_hours_kept_ms, retentionMs) : retentionMs;
}

/** Returns the start of the oldest hour or day whose counts are kept. */
export function oldestTraffic(interval: TrafficInterval, now: Instant, retentionMs: number): Instant {
  return startOf(now - trafficKeptMs(interval, retentionMs), INTERVAL_MS[interval]);
}

/**
 * Returns the range of whole hours or days that contains the requested times, with defaults for missing times. @throws ServiceError
 * `validation_failed`
 */
export function trafficRange(
  { interval, since, until }: Wanted,
  now: Instant,
  retentionMs: number,
): TrafficRange {
  const stepMs = INTERVAL_MS[interval];
  const current = startOf(now, stepMs) + stepMs;
  const end = until === null ? current : Math.min(current, startOf(until - 1, stepMs) + stepMs);
  const start = since === null ? end - DEFAULT_BUCKETS[interval] * stepMs : startOf(since, stepMs);
  const oldest = oldestTraffic(interval, now, retentionMs);
  if (since !== null && since > now) throw problem('since', 'must not be in the future');
  if (since !== null && until !== null && since >= until) throw problem('since', 'must be before until');
  if (since !== null && start < oldest) throw problem('since', tooOld(interval, oldest));
  if (end <= oldest) throw problem('until', tooOld(interval, oldest));
  return { interval, since: Math.max(start, oldest), until: end };
}

/** Returns the start of the period that contains an instant. Days begin at midnight UTC. */
export function startOf(instant: Instant, stepMs: number): Instant {
  return Math.floor(instant / stepMs) * stepMs;
}

function problem(path: string, message: string): ServiceError {
  return validationFailed({ path, message });
}

function tooOld(interval: TrafficInterval, oldest: Instant): string {
  const older = interval === 'hour' ? '. For earlier traffic, use interval=day' : '';
  return `must not be before ${timestamp(oldest)}, because the server keeps no earlier ${interval}s${older}`;
}
