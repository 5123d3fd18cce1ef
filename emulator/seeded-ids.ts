import { createHash } from 'node:crypto';
import { ID_RANDOM_BYTES, type IdPrefix, makeId } from '../shared/core/ids.ts';
import type { Ids } from '../shared/ports/random.ts';

/**
 * Ids that a seed repeats, so that the snapshots of two runs compare. Each kind counts for itself: how many requests or leases there
 * were does not change a domain's. Only ids: keys, secrets and tokens stay random.
 */
export interface SeededIds {
  ids: Ids;
  /** Of the ids that it makes now; -1 before the first. */
  readonly run: number;
  /** The same ids once more for the same run, others for another. */
  begin(run: number): void;
}

/** Ids sort by their time, and so by when they were made: from here on, one a millisecond, and a run after the other. */
const START_MS = Date.parse('2020-01-01T00:00:00Z');
const RUN_MS = 1_000_000_000;

export function createSeededIds(seed: string): SeededIds {
  const counts = new Map<IdPrefix, number>();
  let current = -1;
  return {
    get run() {
      return current;
    },
    begin(run) {
      current = run;
      counts.clear();
    },
    ids(prefix) {
      const count = (counts.get(prefix) ?? 0) + 1;
      counts.set(prefix, count);
      const hash = createHash('sha256')
        .update(JSON.stringify([seed, current, prefix, count]))
        .digest();
      return makeId(prefix, START_MS + current * RUN_MS + count, hash.subarray(0, ID_RANDOM_BYTES));
    },
  };
}
