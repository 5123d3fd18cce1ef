import { describe, expect, test } from 'vitest';
import { startPgBouncer, whyNoPgBouncer } from '../fixtures/pgbouncer.ts';
import { describePostgres } from '../fixtures/postgres.ts';
import { startReceiver } from '../fixtures/webhook-receiver.ts';
import { api, createDeployment } from './run-service.ts';

const TITLE = 'Behind PgBouncer in transaction mode';
const DOMAINS = 40;
/** Fewer than the two nodes have between them: transactions of one client run on the connections of another. */
const CONNECTIONS = 3;

const missing = whyNoPgBouncer();
if (missing !== null && process.env['CI']) throw new Error(`${TITLE}: ${missing}`);
if (missing !== null) console.warn(`SKIPPED ${TITLE}: ${missing}`);

describe.skipIf(missing !== null)(TITLE, () => {
  describePostgres('on Postgres', () => {
    test('the schema is migrated, the API answers, events arrive in order, a key is revoked on every node', async () => {
      await using direct = await createDeployment({ migrated: false });
      await using pooler = await startPgBouncer(direct.env['DATABASE_URL'] ?? '', CONNECTIONS);
      // Notices too: they get lost in there, and polling takes their place.
      const env = { DATABASE_URL: pooler.url };
      expect((await direct.json(['migrate'], env)).document.done).toEqual(['0001-initial']);
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
  });
});
