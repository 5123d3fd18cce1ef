import { type Instant, SECOND_MS } from '../../../shared/core/instant.ts';
import type { TrafficCounter } from '../../../shared/core/traffic/traffic-counter.ts';
import type { EdgeFailure } from '../../../shared/edge/edge-failure.ts';

/** The counts of nginx since the previous call. */
export interface NginxCounted {
  /** The number of requests by status. The status is `gone` if the visitor left before the response, or the edge dropped the request. */
  requests: ReadonlyMap<string, number>;
  failures: readonly CountedFailure[];
  /** The number of failures, by the kind of failure. The sum may exceed the length of `failures`, which has a limit. */
  failed: ReadonlyMap<EdgeFailure['of'], number>;
  traffic: readonly NginxTraffic[];
  /** The process ids of the workers. */
  workers: readonly number[];
  /** The milliseconds since the slowest worker was last up to date with all changes. */
  behindMs: number;
}

/** The traffic of one domain that one worker has counted within one second. */
export interface NginxTraffic {
  at: Instant;
  /** The domain's id. Empty if the requests are counted only for the app. */
  domainId: string;
  appId: string;
  /** The counts of the domain, in the order of `TrafficCounts`. */
  counts: readonly number[];
}

export interface CountedFailure {
  of: EdgeFailure['of'];
  requestId: string;
  domainId: string | null;
  reason: string;
}

/** Parses nginx's response to `/counted`: lines with fields separated by tabs. */
export function readCounted(text: string): NginxCounted {
  const requests = new Map<string, number>();
  const failed = new Map<EdgeFailure['of'], number>();
  const failures: CountedFailure[] = [];
  const traffic: NginxTraffic[] = [];
  const workers: number[] = [];
  let behindMs = 0;
  for (const line of text.split('\n')) {
    const [kind, name = '', ...rest] = line.split('\t');
    const [of = '', what = ''] = name.split(':');
    if (kind === 'worker') {
      workers.push(Number(name));
      behindMs = Math.max(behindMs, Number(rest[0]));
    }
    if (kind === 'count' && of === 'status') requests.set(what, Number(rest[0]));
    if (kind === 'count' && of === 'failure' && isFailing(what)) failed.set(what, Number(rest[0]));
    if (kind === 'traffic') {
      const [domainId = '', appId = '', counts = ''] = rest;
      traffic.push({ at: Number(name) * SECOND_MS, domainId, appId, counts: counts.split(' ').map(Number) });
    }
    if (kind === 'failure' && isFailing(name)) {
      const [requestId = '', domainId = '', reason = ''] = rest;
      failures.push({ of: name, requestId, domainId: domainId || null, reason });
    }
  }
  return { requests, failures, failed, traffic, workers, behindMs };
}

/** Adds the traffic that nginx has counted to the counter. */
export function addCounted(counter: TrafficCounter, traffic: readonly NginxTraffic[]): void {
  for (const { at, domainId, appId, counts } of traffic) {
    if (domainId === '') counter.addToApp(appId, at, counts);
    else counter.add({ domain_id: domainId, app_id: appId }, at, counts);
  }
}

function isFailing(name: string): name is EdgeFailure['of'] {
  return name === 'challenge' || name === 'route' || name === 'origin' || name === 'page';
}
