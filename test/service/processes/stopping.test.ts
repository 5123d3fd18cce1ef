import pg from 'pg';
import { expect, test } from 'vitest';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { startReceiver } from '../../fixtures/webhook-receiver.ts';
import { api, createDeployment, type Deployment, type RunningNode } from '../run-service.ts';

const DOMAINS = 30;

describePostgres('A service node that stops finishes its work', () => {
  async function openApp({ api_url }: RunningNode, deployment: Deployment, webhookUrl: string) {
    const { test_key } = (await deployment.json(['accounts', 'create', 'Acme'])).document;
    await api(api_url, test_key, 'PATCH /apps/current', { webhook_url: webhookUrl });
    return test_key;
  }

  /** Adds domains and deletes them, so that each has two events. */
  async function addAndDeleteDomains({ api_url }: RunningNode, key: string): Promise<void> {
    for (let n = 0; n < DOMAINS; n++) {
      const { body } = await api(api_url, key, 'POST /domains', { hostname: `d${n}.acme.com` });
      await api(api_url, key, `DELETE /domains/${body.id}`);
    }
  }

  async function refusesConnections({ api_url }: RunningNode): Promise<void> {
    await expect.poll(() => fetch(api_url).then(String, (error) => error.message)).toBe('fetch failed');
  }

  async function leases({ database }: Deployment): Promise<number> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(`select count(*) as count
      from (select lease_id from lanes union all select lease_id from jobs) as work where lease_id is not null`);
    await client.end();
    return Number(rows[0].count);
  }

  test('finishes running deliveries and releases its leases, so that another node continues at once', async () => {
    await using deployment = await createDeployment();
    const held = Promise.withResolvers<number>();
    await using receiver = await startReceiver(() => held.promise);
    const stopping = await deployment.start();
    const key = await openApp(stopping, deployment, receiver.url);
    await addAndDeleteDomains(stopping, key);
    await receiver.until(1);
    expect(await leases(deployment)).toBeGreaterThan(0);

    const stopped = stopping.node.stop();
    await refusesConnections(stopping);
    const readiness = await fetch(`${stopping.admin_url}/readyz`);
    expect(readiness.status).toBe(503);
    expect(await readiness.json()).toMatchObject({ ready: false, draining: true, database: 'ok' });
    // Polls, because a worker claims an event queue a moment before it sends the request.
    await expect.poll(async () => receiver.arrivals.length - (await leases(deployment))).toBe(0);
    const inFlight = receiver.arrivals.length;
    held.resolve(200);
    await stopped;
    expect(receiver.arrivals).toHaveLength(inFlight);
    expect(receiver.arrivals.map(({ status }) => status)).toEqual(Array(inFlight).fill(200));
    expect(await leases(deployment)).toBe(0);

    await using _next = await deployment.start();
    await receiver.until(2 * DOMAINS);
    await expect.poll(() => leases(deployment)).toBe(0);
    expect(receiver.arrivals).toHaveLength(2 * DOMAINS);
    for (const arrivals of Map.groupBy(receiver.arrivals, ({ domain_id }) => domain_id).values()) {
      expect(arrivals.map(({ type }) => type)).toEqual(['domain.created', 'domain.deleted']);
    }
  });

  test('finishes a request that is running', async () => {
    await using deployment = await createDeployment();
    const held = Promise.withResolvers<number>();
    const answers = [200];
    await using receiver = await startReceiver(() => answers.shift() ?? held.promise);
    const stopping = await deployment.start();
    const key = await openApp(stopping, deployment, receiver.url);
    await api(stopping.api_url, key, 'POST /domains', { hostname: 'careers.acme.com' });
    const [arrival] = await receiver.until(1);
    const redelivered = api(stopping.api_url, key, `POST /events/${arrival?.event_id}/redeliver`);
    await receiver.until(2);
    const stopped = stopping.node.stop();
    await refusesConnections(stopping);
    held.resolve(204);
    expect(await redelivered).toMatchObject({ status: 201, body: { attempt: 2, status_code: 204 } });
    await stopped;
  });
});
