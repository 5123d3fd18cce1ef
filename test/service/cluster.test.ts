import { expect, test } from 'vitest';
import { describePostgres } from '../fixtures/postgres.ts';
import { killNodesUnderLoad } from './cluster-recovery.ts';

/** Half a minute where nothing else runs: it starts eight processes. */
const LOADED_MACHINE_MS = 180_000;

describePostgres('Three nodes on one Postgres', () => {
  test(
    'nodes killed and Postgres restarted under load: nothing lost or out of order, revoked keys refused everywhere',
    async () => {
      const done = await killNodesUnderLoad(3, 1_200);
      expect(done.revoked).toBeGreaterThan(0);
      expect(done.events).toBeGreaterThan(100);
    },
    LOADED_MACHINE_MS,
  );
});
