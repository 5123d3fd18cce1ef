import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { startRestartablePostgres } from '../../fixtures/postgres/restartable-postgres.ts';
import { api, createDeployment } from '../run-service.ts';
import { startSilentProxy } from './silent-proxy.ts';

/** The default size of a node's pool. The watch of commits uses one connection more. */
const CONNECTIONS = 10;
const PATIENT = { interval: 20 };
/** The timeout is long because a node may wait twice in a test for a commit, each time for 5 seconds. */
const TIMEOUT_MS = 90_000;
const UNKNOWN = {
  code: 'database_unavailable',
  message: expect.stringContaining('may have been saved'),
  fix: 'Send it again with the same Idempotency-Key.',
};

describePostgres('While the database does not commit, a node', () => {
  /** Starts a node on its own Postgres. The test can make the standby of this Postgres disappear. */
  async function world() {
    const postgres = await startRestartablePostgres();
    onTestFinished(() => postgres[Symbol.asyncDispose]());
    const proxy = await startSilentProxy(postgres.url);
    onTestFinished(() => proxy[Symbol.asyncDispose]());
    const deployment = await createDeployment({ migrated: false });
    onTestFinished(() => deployment[Symbol.asyncDispose]());
    const settings = {
      DATABASE_URL: postgres.url,
      NAMEPLATE_ROLES: 'api',
      // The reads of the test follow each other without a pause.
      NAMEPLATE_RATE_PER_SECOND: '10000',
      NAMEPLATE_RATE_BURST: '10000',
    };
    await deployment.service(['migrate'], settings);
    const open = async (name: string) =>
      (await deployment.json(['accounts', 'create', name], settings)).document.test_key;
    const [testKey, readersKey] = [await open('Acme'), await open('Readers')];
    const lines: { msg: string; level: string }[] = [];
    const running = await deployment.start({
      env: { ...settings, DATABASE_URL: proxy.url },
      logTo: { write: (line) => lines.push(JSON.parse(line)) },
    });
    onTestFinished(() => running[Symbol.asyncDispose]());
    async function connect(): Promise<pg.Client> {
      const client = new pg.Client({ connectionString: postgres.url });
      await client.connect();
      onTestFinished(() => client.end());
      return client;
    }
    const database = await connect();
    onTestFinished(() => standby(''));
    async function standby(name: '' | 'away'): Promise<void> {
      await database.query(`alter system set synchronous_standby_names = '${name}'`);
      await database.query('select pg_reload_conf()');
      await expect
        .poll(async () => (await database.query('show synchronous_standby_names')).rows[0], PATIENT)
        .toEqual({ synchronous_standby_names: name });
    }
    const count = async (query: string) => Number((await database.query(query)).rows[0].count);
    return {
      proxy,
      connect,
      standby,
      count,
      lines,
      admin_url: running.admin_url,
      ask: (call: string) => api(running.api_url, testKey, call),
      /** Sends a GET request with the API key of another account. */
      read: async (call: string) => (await api(running.api_url, readersKey, call)).status,
      add: (hostname: string, key: string) =>
        api(running.api_url, testKey, 'POST /domains', { hostname }, { 'idempotency-key': key }),
    };
  }

  test(
    'responds that a change may have been saved, and repeats its response once the standby is back',
    async () => {
      const w = await world();
      const lock = await w.connect();
      await lock.query('begin; lock table domains in exclusive mode');
      const first = w.add('a.acme.com', 'k1');
      await expect.poll(() => w.count('select count(*) from pg_locks where not granted'), PATIENT).toBe(1);
      // The standby goes away only now, because the claim of the idempotency key needs a commit.
      await w.standby('away');
      await lock.query('rollback');
      const unknown = await first;
      expect([unknown.status, unknown.body['error']]).toEqual([503, expect.objectContaining(UNKNOWN)]);
      // The change must be invisible, because a failover could still lose it.
      expect(await w.count('select count(*) from domains')).toBe(0);
      await w.standby('');
      await expect.poll(async () => (await w.add('a.acme.com', 'k1')).status, PATIENT).toBe(201);
      const repeated = await w.add('a.acme.com', 'k1');
      expect(repeated.headers.get('idempotency-replayed')).toBe('true');
      expect((await w.ask(`GET /domains/${repeated.body.id}`)).body['hostname']).toBe('a.acme.com');
      expect(await w.count('select count(*) from domains')).toBe(1);
    },
    TIMEOUT_MS,
  );

  test(
    'refuses further changes with 503 and not with 429, while reads still work',
    async () => {
      const w = await world();
      expect((await w.add('first.acme.com', 'first')).status).toBe(201);
      await w.standby('away');
      const hostnames = Array.from({ length: 40 }, (_, n) => `n${n}.acme.com`);
      const changes = Promise.all(hostnames.map((name) => w.add(name, name)));
      const reads: number[] = [];
      let areAnswered = false;
      changes.finally(() => {
        areAnswered = true;
      });
      while (!areAnswered) reads.push(await w.read('GET /domains'), await w.read('GET /apps/current'));
      expect(new Set((await changes).map(({ status }) => status))).toEqual(new Set([503]));
      expect(new Set(reads)).toEqual(new Set([200]));
      const waiting = "select count(*) from pg_stat_activity where wait_event = 'SyncRep'";
      // Postgres still runs the commits that the node gave up. A change that the node refuses begins no commit.
      expect(await w.count(waiting)).toBeLessThanOrEqual(CONNECTIONS + 1);
      expect((await w.ask('GET /domains')).status).toBe(200);
      const refused = await w.add('refused.acme.com', 'refused');
      expect([refused.status, refused.body['error']]).toEqual([503, expect.not.objectContaining(UNKNOWN)]);
      await expect.poll(async () => (await fetch(`${w.admin_url}/readyz`)).status, PATIENT).toBe(503);
      await w.standby('');
      await expect.poll(async () => (await w.add('refused.acme.com', 'refused')).status, PATIENT).toBe(201);
      const again = async () =>
        (await Promise.all(hostnames.map((name) => w.add(name, name)))).map(({ status }) => status);
      await expect.poll(again, PATIENT).toEqual(hostnames.map(() => 201));
      expect(await w.count('select count(*) from domains')).toBe(42);
      const told = () => w.lines.flatMap(({ msg }) => (msg.startsWith('the database commits') ? [msg] : []));
      await expect
        .poll(told, PATIENT)
        .toEqual(['the database commits nothing: synchronous standby', 'the database commits again']);
    },
    TIMEOUT_MS,
  );

  test(
    'refuses requests with 503 and not with 429 if the database stops responding',
    async () => {
      const w = await world();
      expect((await w.add('first.acme.com', 'first')).status).toBe(201);
      w.proxy.stayedSilent = true;
      w.proxy.fallSilent();
      const requests = Array.from({ length: 40 }, (_, n) =>
        n % 2 === 0 ? w.add(`n${n}.acme.com`, `k${n}`) : w.ask('GET /domains'),
      );
      const statuses = (await Promise.all(requests)).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([503]));
      w.proxy.stayedSilent = false;
      await expect.poll(async () => (await w.add('a.acme.com', 'k')).status, PATIENT).toBe(201);
    },
    TIMEOUT_MS,
  );
});
