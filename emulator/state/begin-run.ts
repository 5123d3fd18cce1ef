import type { Store } from '../../shared/store/store.ts';
import { findFact, saveFact } from './emulator-facts.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Begins a new run of seeded ids, so that no id repeats on a file that an earlier run used. */
export async function beginRun(store: Store, seeded: SeededRandom | null, at?: number): Promise<void> {
  if (seeded === null) return;
  const kept = await findFact(store, 'id_run');
  const run = at ?? Math.max(seeded.run, kept ?? -1) + 1;
  seeded.begin(run);
  await saveFact(store, 'id_run', run);
}
