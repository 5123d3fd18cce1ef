import { expect, test } from 'vitest';
import { describePostgres } from '../fixtures/postgres/postgres.ts';
import { killNodesUnderLoad } from '../service/cluster/cluster-recovery.ts';

describePostgres('Three nodes of the service on one Postgres', () => {
  test('lose nothing in forty kills and a restart of Postgres under load, although some kills interrupt a delivery', async () => {
    const done = await killNodesUnderLoad(40, 2_000);
    console.log(done);
    expect(done.revoked).toBeGreaterThan(20);
    expect(done.events).toBeGreaterThan(1_000);
    expect(done.repeated).toBeGreaterThan(0);
  });
});
