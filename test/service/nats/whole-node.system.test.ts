import pg from 'pg';
import { expect, test } from 'vitest';
import { describeNats, natsSettings, startNats } from '../../fixtures/nats/nats-server.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { createDeployment } from '../run-service.ts';

const ROLES = { NAMEPLATE_ROLES: 'api,worker,edge,relay' };

describeNats('A node with all roles that reads from NATS', () => {
  describePostgres('on Postgres', () => {
    test.each(['1', '2'])(
      'starts on an empty database with NAMEPLATE_EDGE_PROCESSES=%s, although its edge waits for its own relay',
      async (processes) => {
        const nats = natsSettings(await startNats());
        await using deployment = await createDeployment();
        await using node = await deployment.start({
          env: { ...nats, ...ROLES, NAMEPLATE_EDGE_PROCESSES: processes },
        });
        await expect.poll(async () => (await fetch(`${node.admin_url}/readyz/edge`)).status).toBe(200);
        const { exit, document } = await deployment.json(['relay', 'status'], nats);
        expect([exit, document]).toMatchObject([0, { state: 'running', pending: 0, error: null }]);
      },
    );

    test('does the work of its other roles while its new edge waits for NATS', async () => {
      const nats = await startNats();
      await nats.kill();
      await using deployment = await createDeployment();
      const client = new pg.Client({ connectionString: deployment.database.url });
      await client.connect();
      const starting = deployment.start({ env: { ...natsSettings(nats), ...ROLES } });
      const pruned = async () =>
        (await client.query(`select 1 from jobs where kind = 'prune' and due_at > ${Date.now()}`)).rowCount;
      await expect.poll(pruned).toBe(1);
      await client.end();
      await nats.restart();
      await using node = await starting;
      expect((await fetch(`${node.admin_url}/readyz/edge`)).status).toBe(200);
    });
  });
});
