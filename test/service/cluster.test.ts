import { expect, test } from 'vitest';
import { describePostgres } from '../fixtures/postgres.ts';
import { killNodesUnderLoad } from './cluster-recovery.ts';

describePostgres('Three nodes on one Postgres', () => {
  test('nodes killed and Postgres restarted under load: nothing lost or out of order, revoked keys refused everywhere', async () => {
    const done = await killNodesUnderLoad(4, 2_000);
    console.log(done);
    expect(done.revoked).toBeGreaterThan(0);
    expect(done.events).toBeGreaterThan(100);
  }, 60_000);
});
