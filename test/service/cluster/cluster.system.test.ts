import { expect, test } from 'vitest';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { killNodesUnderLoad } from './cluster-recovery.ts';

/** The timeout for a busy machine. On an idle one, this test takes 30 s, because it starts a dozen processes. */
const LOADED_MACHINE_MS = 180_000;

describePostgres('Three nodes on one Postgres work without notices between them', () => {
  test(
    'neither lose nor reorder events, respond correctly, and refuse revoked keys, despite six kills and a restart of Postgres',
    async () => {
      const done = await killNodesUnderLoad(6, 1_000);
      expect(done.revoked).toBeGreaterThan(0);
      expect(done.events).toBeGreaterThan(100);
    },
    LOADED_MACHINE_MS,
  );
});
