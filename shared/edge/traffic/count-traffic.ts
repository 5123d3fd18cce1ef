import type { Instant } from '../../core/instant.ts';
import type { TrafficCounter } from '../../core/traffic/traffic-counter.ts';
import { countRequest } from '../../core/traffic/traffic-counts.ts';
import type { VisitorRequest } from '../visitor-request.ts';

/** Counts a request that has ended towards its domain. Ignores a request without one. */
export function countTraffic(counter: TrafficCounter, request: VisitorRequest, now: Instant): void {
  const { facts, responded, startedAt, wire } = request;
  const { domain_id, app_id, originFailed } = facts;
  if (domain_id === null || app_id === null) return;
  const { received, sent } = wire.takeBytes();
  countRequest(counter.sumFor({ domain_id, app_id }, now), {
    status: responded?.status ?? null,
    bytesIn: received,
    bytesOut: sent,
    latencyMs: responded?.by === 'origin' ? responded.at - startedAt : null,
    originFailed,
  });
}
