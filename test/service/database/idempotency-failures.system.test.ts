import type pg from 'pg';
import { expect, test } from 'vitest';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { startReceiver } from '../../fixtures/webhook-receiver.ts';
import { type Cluster, type ClusterNode, startCluster } from '../cluster/cluster.ts';

const HOSTNAME = 'careers.acme.com';
/** The timeout includes the time to start processes, and to start Postgres twice. */
const TIMEOUT_MS = 120_000;
const PATIENT = { interval: 20 };

interface Reply {
  status: number;
  body: Record<string, unknown>;
  retryAfterS: number;
}

describePostgres('An Idempotency-Key survives failures', () => {
  async function post({ test_key }: Cluster, { addresses }: ClusterNode): Promise<Reply> {
    const response = await fetch(`${addresses?.api_url}/v1/domains`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${test_key}`,
        'content-type': 'application/json',
        'idempotency-key': 'k1',
      },
      body: JSON.stringify({ hostname: HOSTNAME }),
    });
    const { headers, status } = response;
    const body = (await response.json()) as Record<string, unknown>;
    return { status, body, retryAfterS: Number(headers.get('retry-after')) };
  }

  /**
   * Repeats a request. Moves the nodes' clock by each `Retry-After` instead of waiting. @returns the final response, and the sum of
   * `Retry-After` in seconds.
   */
  async function postUntilDone(cluster: Cluster, node: ClusterNode): Promise<{ done: Reply; toldS: number }> {
    for (let toldS = 0; ; ) {
      const done = await post(cluster, node);
      if (done.status !== 409 || toldS > 60) return { done, toldS };
      toldS += done.retryAfterS;
      await cluster.moveClock(done.retryAfterS * 1000);
    }
  }

  /** Blocks the creation of domains while the returned client holds its lock. */
  async function lockDomains(cluster: Cluster): Promise<pg.PoolClient> {
    const client = await cluster.database.connect();
    client.on('error', () => undefined); // Postgres stops while this client holds the lock.
    await client.query('begin');
    await client.query('lock table domains in exclusive mode');
    return client;
  }

  /** Waits until a request has claimed its key and waits for the lock. */
  async function untilItWaits({ database }: Cluster): Promise<void> {
    const waiting = async () => (await database.query(`select 1 from pg_locks where not granted`)).rowCount;
    await expect.poll(waiting, PATIENT).toBe(1);
  }

  async function countDomains({ database }: Cluster): Promise<number> {
    return Number((await database.query('select count(*) from domains')).rows[0].count);
  }

  function nodesOf({ nodes }: Cluster): [ClusterNode, ClusterNode] {
    const [first, second] = nodes;
    if (!first || !second) throw new Error('two nodes are needed');
    return [first, second];
  }

  test(
    'can be used again once Retry-After has passed, if its node was killed',
    async () => {
      await using receiver = await startReceiver();
      await using cluster = await startCluster(2, receiver.url);
      const [killed, other] = nodesOf(cluster);
      const lock = await lockDomains(cluster);
      const lost = post(cluster, killed).catch(() => null);
      await untilItWaits(cluster);
      const replaced = killed.replace();
      expect(await lost).toBeNull();
      await lock.query('rollback');
      lock.release();
      const { done, toldS } = await postUntilDone(cluster, other);
      expect(done.status).toBe(201);
      expect(toldS).toBeLessThanOrEqual(5);
      await replaced;
      expect(await post(cluster, killed)).toEqual(done);
      expect(await countDomains(cluster)).toBe(1);
    },
    TIMEOUT_MS,
  );

  test(
    'can be used again once Retry-After has passed, if its database was away',
    async () => {
      await using receiver = await startReceiver();
      await using cluster = await startCluster(2, receiver.url);
      const [node] = nodesOf(cluster);
      const lock = await lockDomains(cluster);
      const failed = post(cluster, node);
      await untilItWaits(cluster);
      const ended = lock.query('select pg_sleep(600)').catch(() => undefined);
      await cluster.stopPostgres();
      expect((await failed).status).toBe(503);
      await ended;
      lock.release(true);
      await cluster.startPostgres();
      // Polls, because the pool may still contain a connection to the database before its restart.
      const answers = async () => (await fetch(`${node.addresses?.admin_url}/readyz`)).status;
      await expect.poll(answers, PATIENT).toBe(200);
      const { done, toldS } = await postUntilDone(cluster, node);
      expect(toldS).toBeLessThanOrEqual(5);
      expect(done.status).toBe(201);
      expect(await countDomains(cluster)).toBe(1);
    },
    TIMEOUT_MS,
  );
});
