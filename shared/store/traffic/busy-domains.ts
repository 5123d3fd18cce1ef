import type { TrafficRow } from './traffic-rows.ts';

/** A domain with its requests in an hour or a day. */
type BusyDomain = readonly [domainId: string, requests: number];

/** Returns the busiest domains of an app's row. */
export function busyDomains(top: TrafficRow['top']): readonly BusyDomain[] {
  return top === null ? [] : JSON.parse(top);
}

/** Returns the domains with the most requests, most first. */
export function busiest(requests: ReadonlyMap<string, number>, limit: number): readonly BusyDomain[] {
  return [...requests]
    .sort(([id, count], [otherId, otherCount]) => otherCount - count || (id < otherId ? -1 : 1))
    .slice(0, limit);
}
