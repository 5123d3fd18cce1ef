import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { composeService } from '../../../service/compose.ts';
import { readConfig } from '../../../service/config.ts';
import { createWriteWatch, probeWrites } from '../../../service/database/write-watch.ts';
import { createJsonLog } from '../../../service/health/json-log.ts';
import { watchNode } from '../../../service/health/node-checks.ts';
import { readReadiness } from '../../../service/health/readiness.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { createTinyTablespace, whyNoTinyTablespace } from '../../fixtures/postgres/tiny-tablespace.ts';
import { createDeployment, KEYS } from '../run-service.ts';

async function get(url: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(url);
  return { status: answer.status, text: await answer.text() };
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** Creates a database role that may read and write the tables but create none, not even temporary ones. */
async function createPlainRole(url: string): Promise<AsyncDisposable & { url: string }> {
  const plain = new URL(url);
  const database = plain.pathname.slice(1);
  const name = database.replace('nameplate_test', 'plain');
  plain.username = plain.password = name;
  await execute(
    url,
    `create role ${name} login password '${name}'; revoke temporary on database ${database} from public;
    grant all on all tables in schema public to ${name}; grant all on all sequences in schema public to ${name}`,
  );
  return {
    url: plain.href,
    [Symbol.asyncDispose]: () => execute(url, `drop owned by ${name}; drop role ${name}`),
  };
}

const NEWER_MIGRATION = "insert into kysely_migration (name, timestamp) values ('9999-newer', '')";

describePostgres('the health checks of a service node show its state', () => {
  test('are served together with the metrics on the admin address only', async () => {
    await using deployment = await createDeployment();
    await using running = await deployment.start();
    expect(await get(`${running.admin_url}/healthz`)).toEqual({ status: 200, text: 'ok\n' });
    const ready = await get(`${running.admin_url}/readyz`);
    expect(ready.status).toBe(200);
    expect(JSON.parse(ready.text)).toMatchObject({
      ready: true,
      database: 'ok',
      migrations: 'ok',
      checks: { clock: 'ok', keys: 'ok', writes: 'ok' },
    });
    expect((await get(`${running.admin_url}/metrics`)).text).toContain('\nnameplate_ready 1\n');
    expect((await get(`${running.admin_url}/`)).status).toBe(404);
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      expect((await get(running.api_url + path)).status).toBe(404);
    }
  });

  test('fail for readiness while the node drains', async () => {
    await using deployment = await createDeployment();
    await using running = await deployment.start();
    const { context } = running.node.composition;
    expect(await readReadiness(context, true)).toMatchObject({
      ready: false,
      draining: true,
      database: 'ok',
    });
  });

  test('fail for readiness once the node is stopping, and are served during the drain delay', async () => {
    await using deployment = await createDeployment();
    const running = await deployment.start({ env: { NAMEPLATE_DRAIN_DELAY_MS: '3000' } });
    const stopped = running.node.stop();
    expect((await get(`${running.admin_url}/readyz`)).status).toBe(503);
    expect((await get(`${running.admin_url}/healthz`)).status).toBe(200);
    expect((await get(`${running.api_url}/docs`)).status).toBe(200);
    await stopped;
    await expect(get(`${running.api_url}/docs`)).rejects.toThrow('fetch failed');
  });

  test('pass while newer code migrates the database, and a node that starts afterwards is refused', async () => {
    await using deployment = await createDeployment();
    await using running = await deployment.start();
    await execute(deployment.database.url, NEWER_MIGRATION);
    const { status, text } = await get(`${running.admin_url}/readyz`);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ ready: true, migrations: 'newer' });
    for (const argv of [['start'], ['migrate']]) {
      const { exit, document } = await deployment.json(argv);
      expect({ exit, code: document.error.code }).toEqual({ exit: 1, code: 'database_too_new' });
      expect(document.error.message).toContain('9999-newer');
    }
  });

  test('fail only for readiness while the database is away, and pass again when it is back', async () => {
    await using deployment = await createDeployment();
    await using running = await deployment.start();
    const { pathname } = new URL(deployment.database.url);
    const elsewhere = new URL(deployment.database.url);
    elsewhere.pathname = '/postgres';
    const name = pathname.slice(1);
    await execute(elsewhere.href, `alter database ${name} allow_connections false`);
    await execute(
      elsewhere.href,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
    expect((await get(`${running.admin_url}/healthz`)).status).toBe(200);
    const away = await get(`${running.admin_url}/readyz`);
    expect(away.status).toBe(503);
    expect(JSON.parse(away.text).database).not.toBe('ok');
    const metrics = await get(`${running.admin_url}/metrics`);
    expect(metrics.text).toContain('\nnameplate_database_up 0\n');
    expect(metrics.text).not.toMatch(/^nameplate_jobs_due /m);
    await execute(elsewhere.href, `alter database ${name} allow_connections true`);
    await expect.poll(async () => (await get(`${running.admin_url}/readyz`)).status).toBe(200);
  });

  test('name the missing key if another node has a newer encryption key', async () => {
    await using deployment = await createDeployment();
    await deployment.json(['accounts', 'create', 'Acme']);
    const checked = async () => {
      const config = readConfig(deployment.env);
      const composition = await composeService(config, createJsonLog('silent', { write: () => undefined }));
      onTestFinished(composition.close);
      const checks = watchNode({ ...composition, keysEveryMs: 20 });
      onTestFinished(checks.close);
      return checks;
    };
    const checks = await checked();
    expect([checks.ready(), checks.states().keys]).toEqual([true, 'ok']);
    const both = { NAMEPLATE_ENCRYPTION_KEYS: `${KEYS.k2},${KEYS.k1}` };
    await deployment.json(['encryption-key', 'rotate'], both);
    await expect
      .poll(() => checks.states().keys)
      .toContain('are missing from NAMEPLATE_ENCRYPTION_KEYS: "k2"');
    expect(checks.ready()).toBe(false);
  });

  const missing = whyNoTinyTablespace();
  if (missing !== null) console.warn(`SKIPPED a node whose database has a full disk: ${missing}`);
  test.skipIf(missing !== null)(
    "report that the database's disk is full, and pass again once there is space",
    async () => {
      await using deployment = await createDeployment();
      await using disk = await createTinyTablespace(deployment.database.url, 'audit_log');
      await using role = await createPlainRole(deployment.database.url);
      const config = readConfig({ ...deployment.env, DATABASE_URL: role.url, NAMEPLATE_ROLES: 'api' });
      const log = createJsonLog('silent', { write: () => undefined });
      const { context, database, close } = await composeService(config, log);
      onTestFinished(close);
      await probeWrites(context.store);
      await disk.fill();
      const writes = createWriteWatch({ probe: () => probeWrites(context.store), log, everyMs: 20 });
      onTestFinished(writes.close);
      const checks = watchNode({ context, database: { ...database, writes }, databaseClock: null });
      onTestFinished(checks.close);
      expect(checks.ready()).toBe(true);
      const failure = await sql`insert into grain values ('x')`
        .execute(context.store.db)
        .catch((error) => error);
      // The node's store reports the failed write to the health check of the node.
      expect(database.writes.problem()).toContain('No space left on device');
      writes.failed(failure);
      expect([checks.ready(), checks.states().writes]).toEqual([
        false,
        expect.stringContaining('No space left on device'),
      ]);
      await expect(probeWrites(context.store)).rejects.toMatchObject({ code: '53100' });
      await disk.free();
      await expect.poll(checks.ready).toBe(true);
    },
  );
});
