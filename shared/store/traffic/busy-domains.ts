import type { TrafficRow } from './traffic-rows.ts';

/** The id of a domain, and the number of its requests in an hour or a day. */
type BusyDomain = readonly [domainId: string, requests: number];

/** Parses `top` of an app's row. Returns its busiest domains, or none for null. */
export function busyDomains(top: TrafficRow['top']): readonly BusyDomain[] {
  return top === null ? [] : JSON.parse(top);
}

/** Returns up to `limit` domains with the most requests, most requests first. @param requests the number of requests by domain id. */
export function busiest(requests: ReadonlyMap<string, number>, limit: number): readonly BusyDomain[] {
  return [...requests]
    .sort(([id, count], [otherId, otherCount]) => otherCount - count || (id < otherId ? -1 : 1))
    .slice(0, limit);
}
