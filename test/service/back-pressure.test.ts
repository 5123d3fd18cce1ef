import { once } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import pg from 'pg';
import { expect, test } from 'vitest';
import { closeServer, listen } from '../../service/listening.ts';
import { createApiServer } from '../../shared/http/api-server.ts';
import { describePostgres } from '../fixtures/postgres.ts';
import { api, createDeployment, type Deployment } from './run-service.ts';

const PATIENT = { timeout: 10_000 };

/** Whoever reads the table waits until `release`. */
async function lockTable({ database }: Deployment, table: string) {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  return {
    waiting: async () =>
      Number(
        (
          await client.query(
            'select count(*) as count from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())',
          )
        ).rows[0].count,
      ),
    release: () => client.end(),
    [Symbol.asyncDispose]: () => client.end(),
  };
}

describePostgres('A node under load', () => {
  test('refuses one request too many, whatever its path, and counts one whose caller has left until it is done', async () => {
    await using deployment = await createDeployment();
    await using running = await deployment.start({ env: { NAMEPLATE_REQUESTS_IN_FLIGHT: '1' } });
    const { test_key } = (await deployment.json(['accounts', 'create', 'Acme'])).document;
    await using lock = await lockTable(deployment, 'api_keys');
    const left = new AbortController();
    const leaving = fetch(`${running.api_url}/v1/domains`, {
      headers: { authorization: `Bearer ${test_key}` },
      signal: left.signal,
    }).catch((error: Error) => error.name);
    await expect.poll(lock.waiting, PATIENT).toBe(1);
    left.abort();
    expect(await leaving).toBe('AbortError');
    const paths = ['/v1/domains', '/v1/openapi.json', '/docs', '/docs/errors', '/connect/token', '/nowhere'];
    for (const path of paths) {
      const answer = await fetch(running.api_url + path);
      expect.soft(answer.status, path).toBe(503);
      expect.soft(answer.headers.get('retry-after'), path).toBe('1');
      expect.soft(answer.headers.get('x-request-id'), path).toMatch(/^req_/);
      expect.soft(await answer.json(), path).toMatchObject({ error: { code: 'service_unavailable' } });
    }
    await lock.release();
    await expect.poll(async () => (await fetch(`${running.api_url}/docs`)).status, PATIENT).toBe(200);
    const metrics = await (await fetch(`${running.admin_url}/metrics`)).text();
    const refused = Number(/^nameplate_http_refused_total (\d+)$/m.exec(metrics)?.[1]);
    expect(refused).toBeGreaterThanOrEqual(paths.length);
  });

  test('keeps connections for visitors while the API uses all of its own, and the other way round', async () => {
    await using deployment = await createDeployment();
    await using running = await deployment.start({
      env: {
        NAMEPLATE_ROLES: 'api,edge',
        NAMEPLATE_DATABASE_CONNECTIONS: '2',
        NAMEPLATE_EDGE_DATABASE_CONNECTIONS: '1',
      },
    });
    const { test_key } = (await deployment.json(['accounts', 'create', 'Acme'])).document;
    const ask = async () => (await api(running.api_url, test_key, 'GET /apps/current')).status;
    // Of all hostnames only those of test domains are asked of the database.
    const visit = async (_: unknown, index: number) => {
      // Each asks for another: what was not there a moment ago is not asked for again.
      const headers = { host: `dom_${index}.sandbox.nameplate.test` };
      const [answer] = await once(get(running.edge_url, { headers, agent: false }), 'response');
      answer.resume();
      return answer.statusCode;
    };

    await using keys = await lockTable(deployment, 'api_keys');
    const asked = Array.from({ length: 5 }, ask);
    await expect.poll(keys.waiting, PATIENT).toBe(2);
    expect(await visit(null, 9)).toBe(404);
    await keys.release();
    expect(await Promise.all(asked)).toEqual(Array(5).fill(200));

    await using domains = await lockTable(deployment, 'domains');
    const visited = Array.from({ length: 5 }, visit);
    await expect.poll(domains.waiting, PATIENT).toBe(1);
    expect(await ask()).toBe(200);
    await domains.release();
    expect(await Promise.all(visited)).toEqual(Array(5).fill(404));
  });
});

test('one connection too many to the API is closed at once, and told of', async () => {
  let dropped = 0;
  const server = createApiServer(Promise.withResolvers<never>().promise, {
    limits: { connections_max: 1 },
    on_dropped: () => {
      dropped += 1;
    },
  });
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 });
  const ended: number[] = [];
  const sockets = [0, 1].map((index) =>
    connect(port, '127.0.0.1')
      .on('error', () => undefined)
      .on('close', () => ended.push(index)),
  );
  await expect.poll(() => ended.length, PATIENT).toBe(1);
  expect(dropped).toBe(1);
  for (const socket of sockets) socket.destroy();
  await closeServer(server, 0);
});
