import type { EdgeFailure } from '../../../shared/edge/edge-failure.ts';

/** Counts of nginx since the previous call. */
export interface Counted {
  /** Requests by status; `gone` if the visitor left before the response. */
  requests: ReadonlyMap<string, number>;
  failures: readonly CountedFailure[];
  /** Number of failures by what failed. May exceed the length of `failures`, which is bounded. */
  failed: ReadonlyMap<EdgeFailure['of'], number>;
  /** The process ids of the workers. */
  workers: readonly number[];
}

export interface CountedFailure {
  of: EdgeFailure['of'];
  requestId: string;
  domainId: string | null;
  reason: string;
}

/** Reads the lines of `/counted`: fields separated by tabs. */
export function readCounted(text: string): Counted {
  const requests = new Map<string, number>();
  const failed = new Map<EdgeFailure['of'], number>();
  const failures: CountedFailure[] = [];
  const workers: number[] = [];
  for (const line of text.split('\n')) {
    const [kind, name = '', ...rest] = line.split('\t');
    const [of = '', what = ''] = name.split(':');
    if (kind === 'worker') workers.push(Number(name));
    if (kind === 'count' && of === 'status') requests.set(what, Number(rest[0]));
    if (kind === 'count' && of === 'failure' && isFailing(what)) failed.set(what, Number(rest[0]));
    if (kind === 'failure' && isFailing(name)) {
      const [requestId = '', domainId = '', reason = ''] = rest;
      failures.push({ of: name, requestId, domainId: domainId || null, reason });
    }
  }
  return { requests, failures, failed, workers };
}

function isFailing(name: string): name is EdgeFailure['of'] {
  return name === 'challenge' || name === 'route' || name === 'origin' || name === 'page';
}
