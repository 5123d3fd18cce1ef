import { once } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import pg from 'pg';
import { expect, test } from 'vitest';
import { closeServer, listen } from '../../../service/listening.ts';
import { systemRandom } from '../../../shared/adapters/system.ts';
import { makeApiKey } from '../../../shared/core/apps/api-key.ts';
import type { AppId } from '../../../shared/core/ids.ts';
import { createApiServer } from '../../../shared/http/api-server.ts';
import { createKey } from '../../../shared/operations/apps/api-keys.ts';
import type { Caller } from '../../../shared/operations/context.ts';
import { getApp } from '../../../shared/store/accounts/apps.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { api, createDeployment, type Deployment } from '../run-service.ts';

/** Settings that let a query wait for a lock until the test releases it. */
const PATIENT_DATABASE = { NAMEPLATE_STATEMENT_TIMEOUT_MS: '60000' };

/** Takes the lock of a statement and holds it until `release`. `waiting` counts the connections that wait for a lock. */
async function hold({ database }: Deployment, statement: string) {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(`begin; ${statement}`);
  return {
    async waiting() {
      // Within a transaction, `pg_stat_activity` repeats its first result unless the snapshot is cleared.
      await client.query('select pg_stat_clear_snapshot()');
      const { rows } = await client.query(
        "select count(*) as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      return Number(rows[0].count);
    },
    release: () => client.end(),
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** Locks a table, so that even reads wait. */
function lockTable(deployment: Deployment, table: string) {
  return hold(deployment, `lock table ${table} in access exclusive mode`);
}

/** Locks the rows of these domains. Writes to them wait; reads do not. */
function lockDomains(deployment: Deployment, ...ids: string[]) {
  return hold(deployment, `select 1 from domains where id in ('${ids.join("', '")}') for update`);
}

const statusOf = async (response: Promise<{ status: number }>) => (await response).status;

describePostgres('A node of the service shares its database fairly under load', () => {
  test('makes a request wait for its turn, whatever its path, and refuses the request if its turn does not come in time', async () => {
    await using deployment = await createDeployment();
    await using running = await deployment.start({
      env: { ...PATIENT_DATABASE, NAMEPLATE_REQUESTS_IN_FLIGHT: '1' },
    });
    const { test_key } = (await deployment.json(['accounts', 'create', 'Acme'])).document;
    const { body } = await api(running.api_url, test_key, 'POST /domains', { hostname: 'slow.acme.com' });
    await using lock = await lockDomains(deployment, body.id);
    const left = new AbortController();
    const leaving = fetch(`${running.api_url}/v1/domains/${body.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${test_key}` },
      signal: left.signal,
    }).catch((error: Error) => error.name);
    await expect.poll(lock.waiting).toBe(1);
    // A request occupies its slot until it ends, even if its client disconnects.
    left.abort();
    expect(await leaving).toBe('AbortError');
    const own = api(running.api_url, test_key, 'GET /apps/current');
    const paths = ['/v1/openapi.json', '/docs', '/docs/errors', '/connect/token', '/nowhere'];
    const others = await Promise.all(paths.map((path) => fetch(running.api_url + path)));
    for (const [index, answer] of others.entries()) {
      const path = paths[index];
      expect.soft(answer.status, path).toBe(503);
      expect.soft(answer.headers.get('retry-after'), path).toBe('1');
      expect.soft(answer.headers.get('x-request-id'), path).toMatch(/^req_/);
      expect.soft(await answer.json(), path).toMatchObject({ error: { code: 'service_unavailable' } });
    }
    // The app's second request gets 429, because it waits for the first request of the same app.
    expect(await own).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
    await lock.release();
    await expect.poll(async () => (await fetch(`${running.api_url}/docs`)).status).toBe(200);
    const metrics = await (await fetch(`${running.admin_url}/metrics`)).text();
    expect(metrics).toContain(`nameplate_http_refused_total{reason="busy"} ${paths.length}\n`);
    expect(metrics).toContain('nameplate_http_refused_total{reason="share"} 1\n');
  });

  test('serves one app while slow requests of another app use no more than their share of the database', async () => {
    await using deployment = await createDeployment();
    await using running = await deployment.start({
      env: { ...PATIENT_DATABASE, NAMEPLATE_ROLES: 'api' },
    });
    const { api_url } = running;
    const noisy = (await deployment.json(['accounts', 'create', 'Noisy'])).document;
    const calm = (await deployment.json(['accounts', 'create', 'Calm'])).document;
    const { body } = await api(api_url, noisy.test_key, 'POST /domains', { hostname: 'slow.acme.com' });
    await using lock = await lockDomains(deployment, body.id);
    const slow = Array.from({ length: 30 }, () =>
      statusOf(api(api_url, noisy.test_key, `PATCH /domains/${body.id}`, { metadata: { a: 'b' } })),
    );
    // The app's share is a fifth of the ten connections.
    await expect.poll(lock.waiting).toBe(2);
    for (let n = 0; n < 20; n++) {
      const added = await api(api_url, calm.test_key, 'POST /domains', { hostname: `d${n}.calm.com` });
      expect(added.status).toBe(201);
      expect(await statusOf(api(api_url, calm.test_key, `GET /domains/${added.body.id}`))).toBe(200);
      expect(await statusOf(api(api_url, calm.test_key, 'GET /domains'))).toBe(200);
    }
    expect(await lock.waiting()).toBe(2);
    await lock.release();
    const statuses = await Promise.all(slow);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2);
    // A request that waits too long gets 429 and not 503, because its own app is the cause.
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  });

  test('is ready and reads keys while every database connection of the API is taken', async () => {
    await using deployment = await createDeployment();
    await using running = await deployment.start({
      env: { ...PATIENT_DATABASE, NAMEPLATE_ROLES: 'api', NAMEPLATE_DATABASE_CONNECTIONS: '2' },
    });
    const { api_url, admin_url } = running;
    const open = async (name: string) =>
      (await deployment.json(['accounts', 'create', name])).document.test_key;
    const keys = [await open('One'), await open('Other')];
    const third = await open('Third');
    const add = async (key: string) =>
      (await api(api_url, key, 'POST /domains', { hostname: 'slow.acme.com' })).body.id;
    const [one, other] = [await add(keys[0] ?? ''), await add(keys[1] ?? '')];
    await using lock = await lockDomains(deployment, one, other);
    const slow = [one, other].map((id, index) =>
      statusOf(api(api_url, keys[index] ?? '', `PATCH /domains/${id}`, { metadata: { a: 'b' } })),
    );
    await expect.poll(lock.waiting).toBe(2);
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      expect(await statusOf(fetch(admin_url + path)), path).toBe(200);
    }
    const unknown = makeApiKey('test', systemRandom);
    expect(await statusOf(api(api_url, unknown, 'GET /apps/current'))).toBe(401);
    const queued = statusOf(api(api_url, third, 'GET /apps/current'));
    await lock.release();
    expect(await Promise.all([queued, ...slow])).toEqual([200, 200, 200]);
  });

  test('renews the lease of an Idempotency-Key while the app has no other database connection', async () => {
    await using deployment = await createDeployment();
    await using running = await deployment.start({
      env: { ...PATIENT_DATABASE, NAMEPLATE_ROLES: 'api', NAMEPLATE_DATABASE_CONNECTIONS: '2' },
    });
    const { api_url } = running;
    const { test_key } = (await deployment.json(['accounts', 'create', 'Acme'])).document;
    await using lock = await lockTable(deployment, 'domains');
    const headers = { 'idempotency-key': 'slow' };
    const posted = api(api_url, test_key, 'POST /domains', { hostname: 'slow.acme.com' }, headers);
    await expect.poll(lock.waiting).toBe(1);
    const { store } = running.node.composition.context;
    const leaseEnds = async () => {
      const row = await store.db.selectFrom('idempotency').select('lease_until').executeTakeFirstOrThrow();
      return Number(row.lease_until);
    };
    const first = await leaseEnds();
    await expect.poll(leaseEnds).toBeGreaterThan(first);
    await lock.release();
    expect(await statusOf(posted)).toBe(201);
  });

  test('reads unknown keys over one connection and known keys over another', async () => {
    await using deployment = await createDeployment();
    await using running = await deployment.start({
      env: { ...PATIENT_DATABASE, NAMEPLATE_ROLES: 'api' },
    });
    const { api_url, admin_url, node } = running;
    const { test_key, app_id } = (await deployment.json(['accounts', 'create', 'Acme'])).document;
    const ask = (key: string) => statusOf(api(api_url, key, 'GET /apps/current'));
    const { context } = node.composition;
    const useIsWritten = async () => {
      const keys = await context.store.db.selectFrom('api_keys').select('last_used_at').execute();
      return keys.some(({ last_used_at }) => last_used_at !== null);
    };
    expect(await ask(test_key)).toBe(200);
    // The use of the key is recorded after the response, over one of the connections of the app's share.
    await expect.poll(useIsWritten).toBe(true);
    await using lock = await lockTable(deployment, 'api_keys');
    const flood = Array.from({ length: 50 }, () => ask(makeApiKey('test', systemRandom)));
    await expect.poll(lock.waiting).toBe(1);
    // This notice removes the key from memory, so the next request reads it again.
    context.notices.publish({ kind: 'credentials', app_id: app_id as AppId });
    const known: Promise<number>[] = [];
    const askUntilRead = () => {
      known.push(ask(test_key));
      return lock.waiting();
    };
    // Accepts more than two waiting reads, because a request two seconds later reads the key again.
    await expect.poll(askUntilRead).toBeGreaterThanOrEqual(2);
    expect(await statusOf(fetch(`${admin_url}/readyz`))).toBe(200);
    await lock.release();
    expect(await Promise.all(flood)).toContain(401);
    expect(await Promise.all(known)).toContain(200);
  });

  test('limits the reads of all keys of an app together', async () => {
    await using deployment = await createDeployment();
    await using running = await deployment.start({
      env: { NAMEPLATE_RATE_PER_SECOND: '1', NAMEPLATE_RATE_BURST: '10' },
    });
    const { context } = running.node.composition;
    const { document } = await deployment.json(['accounts', 'create', 'Acme']);
    const app = await getApp(context.store, document.app_id as AppId);
    const caller: Caller = {
      app_id: app.id,
      account_id: app.account_id,
      key_id: context.ids('key'),
      mode: 'test',
      idempotency: null,
    };
    const keys = [document.test_key];
    while (keys.length < 40) {
      const { body } = await createKey(context, caller, { body: { name: 'one more', mode: 'test' } });
      keys.push(body.key);
    }
    const answers = await Promise.all(
      keys.flatMap((key) => [1, 2, 3, 4].map(() => api(running.api_url, key, 'GET /apps/current'))),
    );
    const refused = answers.filter(({ status }) => status === 429);
    // Each key may send ten requests at once. The app may send 20, plus two per second.
    expect(refused.length).toBeGreaterThan(40);
    expect(refused[0]?.headers.get('ratelimit')).toMatch(/^"api";r=\d+;t=\d+, "app";r=0;t=\d+$/);
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
  });

  test('has connections for visitors while the API uses all of its own, and for the API while visitors use all of theirs', async () => {
    await using deployment = await createDeployment();
    await using running = await deployment.start({
      env: {
        ...PATIENT_DATABASE,
        NAMEPLATE_ROLES: 'api,edge',
        NAMEPLATE_DATABASE_CONNECTIONS: '2',
        NAMEPLATE_EDGE_DATABASE_CONNECTIONS: '1',
      },
    });
    const open = async (name: string) =>
      (await deployment.json(['accounts', 'create', name])).document.test_key;
    const keys = [await open('One'), await open('Other')];
    const ask = (path: string) => keys.map((key) => statusOf(api(running.api_url, key, path)));
    const ids = await Promise.all(
      keys.map(async (key) => {
        const added = await api(running.api_url, key, 'POST /domains', { hostname: 'slow.acme.com' });
        return added.body.id;
      }),
    );
    // The edge looks up only test domains' hostnames in the database.
    const visit = async (_: unknown, index: number) => {
      // Each visit uses a new hostname, because the edge caches an unknown hostname for a moment.
      const headers = { host: `dom_${String(index).padStart(26, '0')}.sandbox.nameplate.test` };
      const [answer] = await once(get(running.edge_url, { headers, agent: false }), 'response');
      answer.resume();
      return answer.statusCode;
    };

    await using rows = await lockDomains(deployment, ...ids);
    const deleted = ids.map((id, index) =>
      statusOf(api(running.api_url, keys[index] ?? '', `DELETE /domains/${id}`)),
    );
    await expect.poll(rows.waiting).toBe(2);
    expect(await visit(null, 9)).toBe(404);
    await rows.release();
    expect(await Promise.all(deleted)).toEqual([204, 204]);

    await using domains = await lockTable(deployment, 'domains');
    const visited = Array.from({ length: 5 }, visit);
    await expect.poll(domains.waiting).toBe(1);
    expect(await Promise.all(ask('GET /apps/current'))).toEqual([200, 200]);
    await domains.release();
    expect(await Promise.all(visited)).toEqual(Array(5).fill(404));
  });
});

test('the API closes a connection beyond its limit at once, and counts it', async () => {
  let dropped = 0;
  const server = createApiServer(Promise.withResolvers<never>().promise, {
    limits: { connectionsMax: 1 },
    onDropped: () => {
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
  await expect.poll(() => ended.length).toBe(1);
  expect(dropped).toBe(1);
  for (const socket of sockets) socket.destroy();
  await closeServer(server, 0);
});
