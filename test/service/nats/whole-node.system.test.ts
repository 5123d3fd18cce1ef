import { expect, test } from 'vitest';
import { describeNats, startNats } from '../../fixtures/nats/nats-server.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { natsSettings } from '../edge/edge-cluster.ts';
import { createDeployment } from '../run-service.ts';

describeNats('A node with all roles that reads from NATS', () => {
  describePostgres('on Postgres', () => {
    test.each(['1', '2'])(
      'starts on an empty database with NAMEPLATE_EDGE_PROCESSES=%s, although its edge waits for its own relay',
      async (processes) => {
        const nats = natsSettings(await startNats());
        await using deployment = await createDeployment();
        await using node = await deployment.start({
          env: { ...nats, NAMEPLATE_ROLES: 'api,worker,edge,relay', NAMEPLATE_EDGE_PROCESSES: processes },
        });
        await expect.poll(async () => (await fetch(`${node.admin_url}/readyz/edge`)).status).toBe(200);
        const { exit, document } = await deployment.json(['relay', 'status'], nats);
        expect([exit, document]).toMatchObject([0, { state: 'running', pending: 0, error: null }]);
      },
    );
  });
});
