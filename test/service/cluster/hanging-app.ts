import { sql } from 'kysely';
import { startNode } from '../../../service/node.ts';
import type { App } from '../../../shared/core/apps/app.ts';
import type { AppId } from '../../../shared/core/ids.ts';
import type { Context } from '../../../shared/operations/context.ts';
import { openAccount } from '../../../shared/operations/operator/accounts.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { startReceiver } from '../../fixtures/webhook-receiver.ts';
import { migratedDatabase } from '../database/migrated-database.ts';
import { api } from '../run-service.ts';
import { testConfig } from '../settings/test-config.ts';

/** Measures how apps with a hanging endpoint slow down the deliveries of another app. */
export interface Neighbours {
  /**
   * Delivery times in milliseconds, from the response to a create request until its event arrives. They are measured twice: while the
   * hanging apps have no due events, and while their events wait.
   */
  aloneMs: number[];
  besideMs: number[];
  /** Attempts to the hanging apps that had begun when all events of the other app had arrived. */
  attemptsBegun: number;
  attemptsEnded: number;
  lanes_due: number;
}

const QUIET = { info: () => undefined, warn: () => undefined, error: console.error };

/**
 * Measures deliveries of one app while other apps have due events and an endpoint that never responds. Measures the same app alone before
 * and after.
 * @param atOnce number of domains that are created concurrently.
 */
export async function deliverBesideHangingApps(
  { apps, lanes }: { apps: number; lanes: number },
  domains: number,
  atOnce: number,
): Promise<Neighbours> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await migratedDatabase());
  const { promise: hangs, resolve: answer } = Promise.withResolvers<number>();
  const hanging = stack.use(await startReceiver(() => hangs));
  const arrivedAt = new Map<string, number>();
  const swift = stack.use(
    await startReceiver(({ domain_id, type }) => {
      if (type === 'domain.created') arrivedAt.set(domain_id, performance.now());
      return 200;
    }),
  );
  const node = await startNode(testConfig(database.url, { NAMEPLATE_ROLES: 'api,worker' }), QUIET);
  stack.defer(() => node.stop());
  // Disposal runs this first: it lets the hanging endpoint respond, so that the node can stop.
  stack.defer(() => answer(200));
  const { context } = node.composition;
  const apiUrl = `http://127.0.0.1:${node.addresses.api?.port}`;
  const open = (name: string, webhookUrl: string) =>
    openAccount(context, 'test', { name, webhook_url: webhookUrl, terms: { plan: 'scale' } });
  const hung: App[] = [];
  for (let n = 0; n < apps; n++) hung.push((await open(`Hangs ${n}`, hanging.url)).app);
  const { test_key } = await open('Waits for nobody', swift.url);

  /** Creates domains. @returns the delivery time of the event of each domain, in milliseconds. */
  async function deliver(round: string): Promise<number[]> {
    const times: number[] = [];
    for (let done = 0; done < domains; done += atOnce) {
      const batch = Array.from({ length: atOnce }, async (_, n) => {
        const hostname = `d${done + n}.${round}.example.com`;
        const { body } = await api(apiUrl, test_key, 'POST /domains', { hostname });
        const answeredAt = performance.now();
        await swift.until(1, (arrival) => arrival.domain_id === body.id);
        times.push(Math.max(0, (arrivedAt.get(body.id) ?? Number.NaN) - answeredAt));
      });
      await Promise.all(batch);
    }
    return times;
  }

  const beforeMs = await deliver('before');
  for (const app of hung) await fillLanes(context, app, lanes);
  await sql`analyze`.execute(context.store.db);
  context.notices.publish({ kind: 'work' });
  await hanging.until(1);
  const besideMs = await deliver('beside');
  const ids = hung.map(({ id }) => id);
  const counts = await countOf(context, ids);
  await autocommit(context.store).db.deleteFrom('lanes').where('app_id', 'in', ids).execute();
  // Deliveries alone are measured before and after, so that other load on the machine affects both sides of the comparison.
  return { aloneMs: [...beforeMs, ...(await deliver('after'))], besideMs, ...counts };
}

/** Adds domains with one due event each. */
async function fillLanes({ store, clock }: Context, { id: appId }: App, count: number): Promise<void> {
  const now = clock.now();
  const body = JSON.stringify({ type: 'domain.active', data: { domain: { id: 'dom_x', hostname: 'x' } } });
  await sql`insert into events (id, domain_id, app_id, mode, seq, type, hostname, previous_status, status, created_at, body,
      delivery_status, attempts, tries, next_attempt_at)
    select 'evt_' || ${appId} || n, 'dom_' || ${appId} || n, ${appId}, 'test', 1, 'domain.active', 'x.example.com', 'issuing',
      'active', ${now}, ${body}, 'pending', 0, 0, ${now}
    from generate_series(1, ${count}) as n`.execute(store.db);
  await sql`insert into lanes (domain_id, app_id, due_at)
    select 'dom_' || ${appId} || n, ${appId}, ${now} from generate_series(1, ${count}) as n`.execute(
    store.db,
  );
}

async function countOf({ store, clock }: Context, appIds: readonly AppId[]) {
  const ofThem = sql`app_id in (${sql.join(appIds)})`;
  const { rows } = await sql<{ begun: number; ended: number; due: number }>`
    select count(*) as begun, count(*) filter (where finished = 1) as ended,
      (select count(*) from lanes where ${ofThem} and due_at <= ${clock.now()} and leased_until <= ${clock.now()}) as due
    from deliveries where ${ofThem}`.execute(store.db);
  const [{ begun, ended, due } = { begun: 0, ended: 0, due: 0 }] = rows;
  return { attemptsBegun: begun, attemptsEnded: ended, lanes_due: due };
}

/** Returns a quantile. @param share the quantile to return: 0.5 is the median. */
export function quantile(timesMs: readonly number[], share: number): number {
  const sorted = timesMs.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}
