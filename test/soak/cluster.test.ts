import { expect, test } from 'vitest';
import { describePostgres } from '../fixtures/postgres/postgres.ts';
import { killNodesUnderLoad } from '../service/cluster/cluster-recovery.ts';

describePostgres('Three nodes on one Postgres', () => {
  test('forty kills and a restart of Postgres under load lose nothing, although some interrupt a delivery', async () => {
    const done = await killNodesUnderLoad(40, 2_000);
    console.log(done);
    expect(done.revoked).toBeGreaterThan(20);
    expect(done.events).toBeGreaterThan(1_000);
    expect(done.repeated).toBeGreaterThan(0);
  });
});
