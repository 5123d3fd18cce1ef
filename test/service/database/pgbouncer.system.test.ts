import pg from 'pg';
import { expect, test } from 'vitest';
import { MIGRATIONS } from '../../../shared/store/migrations/migrate.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { startPgBouncer, whyNoPgBouncer } from '../../fixtures/postgres/pgbouncer.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { startReceiver } from '../../fixtures/webhook-receiver.ts';
import { api, createDeployment, type Deployment } from '../run-service.ts';

const DOMAINS = 40;
/** The two nodes use more connections than this, so that PgBouncer runs one client's transactions on different connections. */
const CONNECTIONS = 3;

function nameOf({ database }: Deployment): string {
  return new URL(database.url).pathname.slice(1);
}

async function query(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/**
 * Reads the statement timeout of every session of the pooler. Leaves a transaction open in each, so that the next query gets another
 * session.
 */
async function timeoutsOf(url: string): Promise<string[]> {
  const clients = Array.from({ length: CONNECTIONS }, () => new pg.Client({ connectionString: url }));
  try {
    return await Promise.all(
      clients.map(async (client) => {
        await client.connect();
        await client.query('begin');
        return (await client.query('show statement_timeout')).rows[0].statement_timeout;
      }),
    );
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

describeUnlessMissing(whyNoPgBouncer(), 'A node works behind PgBouncer in transaction mode', () => {
  describePostgres('on Postgres', () => {
    test('migrates the schema, serves the API, delivers events in order, and revokes a key on every node', async () => {
      await using direct = await createDeployment({ migrated: false });
      await using pooler = await startPgBouncer(direct.env['DATABASE_URL'] ?? '', CONNECTIONS);
      const pastPooler = { DATABASE_LISTEN_URL: direct.database.url };
      // PgBouncer does not pass notices on, so the nodes have to poll.
      const env = { DATABASE_URL: pooler.url };
      expect((await direct.json(['migrate'], { ...env, ...pastPooler })).document.done).toEqual(
        Object.keys(MIGRATIONS),
      );
      const { test_key } = (await direct.json(['accounts', 'create', 'Acme'], env)).document;
      await using receiver = await startReceiver();
      await using asked = await direct.start({ env });
      await using other = await direct.start({ env });
      const call = (request: string, body?: object) => api(asked.api_url, test_key, request, body);

      await call('PATCH /apps/current', { webhook_url: receiver.url });
      const added = await Promise.all(
        Array.from({ length: DOMAINS }, (_, n) => call('POST /domains', { hostname: `d${n}.acme.com` })),
      );
      expect(new Set(added.map(({ status }) => status))).toEqual(new Set([201]));
      const deleted = await Promise.all(added.map(({ body }) => call(`DELETE /domains/${body.id}`)));
      expect(new Set(deleted.map(({ status }) => status))).toEqual(new Set([204]));
      await receiver.until(2 * DOMAINS);
      for (const arrivals of Map.groupBy(receiver.arrivals, ({ domain_id }) => domain_id).values()) {
        expect(arrivals.map(({ type }) => type)).toEqual(['domain.created', 'domain.deleted']);
      }

      const made = await call('POST /keys', { name: 'CI', mode: 'test' });
      const key = String(made.body['key']);
      const statusAt = async (url: string) => (await api(url, key, 'GET /apps/current')).status;
      expect([await statusAt(asked.api_url), await statusAt(other.api_url)]).toEqual([200, 200]);
      expect((await call(`DELETE /keys/${made.body.id}`)).status).toBe(204);
      expect(await statusAt(asked.api_url)).toBe(401);
      await expect.poll(() => statusAt(other.api_url), { timeout: 5_000 }).toBe(401);
    });

    test('cancels slow queries in every session, and refuses to start a node whose sessions would not cancel them', async () => {
      await using direct = await createDeployment();
      const env = { NAMEPLATE_STATEMENT_TIMEOUT_MS: '4321' };
      const start = async () => {
        await using pooler = await startPgBouncer(direct.database.url, CONNECTIONS);
        const limits = await timeoutsOf(pooler.url);
        const { exit, document } = await direct.json(['accounts', 'list'], {
          ...env,
          DATABASE_URL: pooler.url,
        });
        return { limits, exit, error: document.error };
      };
      await direct.service(['migrate'], env);
      expect(await start()).toMatchObject({ limits: Array(CONNECTIONS).fill('4321ms'), exit: 0 });

      for (const [statement, defaultMs] of [
        ['reset statement_timeout', 0],
        ['set statement_timeout = 9000', 9000],
      ]) {
        await query(
          direct.database.url,
          `alter role current_user in database ${nameOf(direct)} ${statement}`,
        );
        const { exit, error } = await start();
        expect({ exit, code: error.code }).toEqual({ exit: 1, code: 'database_without_timeout' });
        expect(error.message).toContain(`${defaultMs} ms instead of 4321 ms`);
        expect(error.fix).toContain(`in database "${nameOf(direct)}" set statement_timeout = 4321`);
      }
      // Without a pooler, the command starts, because each of its connections sets its own timeout.
      expect((await direct.json(['accounts', 'list'], env)).exit).toBe(0);
    });
  });
});
