import { expect, test } from 'vitest';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { killNodesUnderLoad } from './cluster-recovery.ts';

/** Half a minute where nothing else runs: it starts a dozen processes. */
const LOADED_MACHINE_MS = 180_000;

describePostgres('Three nodes on one Postgres, no notice passing between them', () => {
  test(
    'six kills and a restart of Postgres under load: nothing lost or out of order, right answers only, revoked keys refused everywhere',
    async () => {
      const done = await killNodesUnderLoad(6, 1_000);
      expect(done.revoked).toBeGreaterThan(0);
      expect(done.events).toBeGreaterThan(100);
    },
    LOADED_MACHINE_MS,
  );
});
