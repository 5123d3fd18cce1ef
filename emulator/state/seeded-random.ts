import { createHash } from 'node:crypto';
import { ID_RANDOM_BYTES, type IdPrefix, makeId } from '../../shared/core/ids.ts';
import type { Instant } from '../../shared/core/instant.ts';
import type { Ids, Random } from '../../shared/ports/system.ts';
import { autocommit, type Store } from '../../shared/store/store.ts';
import { findFact, saveFact } from './emulator-facts.ts';

/**
 * A source of ids, keys, secrets and tokens that are the same for the same seed, so that snapshots of two runs can be compared. Each kind
 * has its own counter, so that the number of requests or leases does not change the id of a domain.
 */
export interface SeededRandom {
  ids: Ids;
  random: Random;
  /** Number of the current run; -1 before the first run. */
  readonly run: number;
  /** Begins a run and restarts the counters. The same run number gives the same values, and another number gives other values. */
  begin(run: number): void;
}

/**
 * The time in the first seeded id. Ids sort by their time, so each next id is one millisecond later, and each run starts `RUN_MS` after the
 * previous run.
 */
export const SEEDED_START: Instant = Date.parse('2020-01-01T00:00:00Z');
const RUN_MS = 1_000_000_000;

export function createSeededRandom(seed: string): SeededRandom {
  const counts = new Map<string, number>();
  let current = -1;

  function next(kind: string): number {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count;
  }

  const digest = (...parts: readonly (string | number)[]) =>
    createHash('sha256')
      .update(JSON.stringify([seed, current, ...parts]))
      .digest();

  return {
    get run() {
      return current;
    },
    begin(run) {
      current = run;
      counts.clear();
    },
    ids<P extends IdPrefix>(prefix: P) {
      const count = next(prefix);
      const bytes = digest(prefix, count).subarray(0, ID_RANDOM_BYTES);
      return makeId(prefix, SEEDED_START + current * RUN_MS + count, bytes);
    },
    random(length) {
      const count = next(String(length));
      const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, block) =>
        digest(length, count, block),
      );
      return new Uint8Array(Buffer.concat(blocks, length));
    },
  };
}

/** Begins a new run of seeded ids, so that no id repeats in a database file of an earlier run. */
export async function beginRun(store: Store, seeded: SeededRandom | null, at?: number): Promise<void> {
  if (seeded === null) return;
  const kept = await findFact(store, 'id_run');
  const run = at ?? Math.max(seeded.run, kept ?? -1) + 1;
  seeded.begin(run);
  await saveFact(autocommit(store), 'id_run', run);
}
