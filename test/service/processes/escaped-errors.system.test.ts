import { expect, test } from 'vitest';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { createDeployment } from '../run-service.ts';
import { startNodeUnderFaults } from './node-under-faults.ts';

describePostgres('A service node of one process survives errors of a connection', () => {
  test('continues after an error of one connection that no handler has caught', async () => {
    await using deployment = await createDeployment();
    await using node = await startNodeUnderFaults(deployment.env);
    node.fail('reset', node.bin.child.pid);
    await expect.poll(() => node.metrics()).toContain('nameplate_contained_errors_total{of="socket"} 1');
    expect((await fetch(`${node.adminUrl}/readyz`)).status).toBe(200);
  });

  test('after any other unhandled error becomes unready, drains, and exits with an error code', async () => {
    await using deployment = await createDeployment();
    await using node = await startNodeUnderFaults({ ...deployment.env, NAMEPLATE_DRAIN_DELAY_MS: '3000' });
    node.fail('bug', node.bin.child.pid);
    await expect.poll(async () => (await fetch(`${node.adminUrl}/readyz`)).status).toBe(503);
    expect((await fetch(`${node.apiUrl}/v1/apps/current`)).status).toBe(401);
    expect(await node.bin.ended).toBe(1);
    expect(node.logged(/"level":"error".*an injected bug/)).toHaveLength(1);
    expect(node.logged(/the node has stopped/)).toHaveLength(1);
    expect(node.bin.stdout()).toContain('no code handled an error: an injected bug');
  });
});
