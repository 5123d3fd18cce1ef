import { sql } from 'kysely';
import { startNode } from '../../service/node.ts';
import type { Context } from '../../shared/operations/context.ts';
import type { CreatedAccount } from '../../shared/operations/create-account.ts';
import { openAccount } from '../../shared/operations/operator/accounts.ts';
import { startReceiver } from '../fixtures/webhook-receiver.ts';
import { migratedDatabase } from './migrated-database.ts';
import { api } from './run-service.ts';
import { testConfig } from './test-config.ts';

/** What one app sees of another whose endpoint hangs. */
export interface Neighbours {
  /** From the answer to a create to its event's arrival, in milliseconds: before and after the app that hangs, and beside it. */
  alone_ms: number[];
  beside_ms: number[];
  /** Of the app that hangs, once the other's events have all arrived. */
  attempts_begun: number;
  attempts_ended: number;
  lanes_due: number;
}

const QUIET = { info: () => undefined, warn: () => undefined, error: console.error };

/**
 * Delivers the events of one app while another has so many due lanes and an endpoint that never answers, and as many before and after.
 * @param at_once domains that are added side by side.
 */
export async function deliverBesideHangingApp(
  lanes: number,
  domains: number,
  at_once: number,
): Promise<Neighbours> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await migratedDatabase());
  const { promise: hangs, resolve: answer } = Promise.withResolvers<number>();
  const hanging = stack.use(await startReceiver(() => hangs));
  const arrived_at = new Map<string, number>();
  const swift = stack.use(
    await startReceiver(({ domain_id, type }) => {
      if (type === 'domain.created') arrived_at.set(domain_id, performance.now());
      return 200;
    }),
  );
  const node = await startNode(testConfig(database.url, { NAMEPLATE_ROLES: 'api,worker' }), QUIET);
  stack.defer(() => node.stop());
  // Before that: the node need not wait for what hangs.
  stack.defer(() => answer(200));
  const { context } = node.composition;
  const api_url = `http://127.0.0.1:${node.addresses.api?.port}`;
  const open = (name: string, webhook_url: string) =>
    openAccount(context, 'test', { name, webhook_url, terms: { plan: 'scale' } });
  const hung = await open('Hangs', hanging.url);
  const { test_key } = await open('Waits for nobody', swift.url);

  /** @returns the delivery time of each. */
  async function deliver(round: string): Promise<number[]> {
    const times: number[] = [];
    for (let done = 0; done < domains; done += at_once) {
      const batch = Array.from({ length: at_once }, async (_, n) => {
        const hostname = `d${done + n}.${round}.example.com`;
        const { body } = await api(api_url, test_key, 'POST /domains', { hostname });
        const answered_at = performance.now();
        await swift.until(1, (arrival) => arrival.domain_id === body.id);
        times.push(Math.max(0, (arrived_at.get(body.id) ?? Number.NaN) - answered_at));
      });
      await Promise.all(batch);
    }
    return times;
  }

  const before_ms = await deliver('before');
  await fillLanes(context, hung, lanes);
  context.notices.publish({ kind: 'work' });
  await hanging.until(1);
  const beside_ms = await deliver('beside');
  const counts = await countOf(context, hung);
  await context.store.db.deleteFrom('lanes').where('app_id', '=', hung.app.id).execute();
  // Whatever else the machine does meanwhile comes and goes: what is compared surrounds what it is compared with.
  return { alone_ms: [...before_ms, ...(await deliver('after'))], beside_ms, ...counts };
}

/** An event each, due since a while ago. */
async function fillLanes({ store, clock }: Context, { app }: CreatedAccount, count: number): Promise<void> {
  const now = clock.now();
  const body = JSON.stringify({ type: 'domain.active', data: { domain: { id: 'dom_x', hostname: 'x' } } });
  await sql`insert into events (id, domain_id, app_id, mode, seq, type, hostname, previous_status, status, created_at, body,
      delivery_status, attempts, tries, next_attempt_at)
    select 'evt_' || n, 'dom_' || n, ${app.id}, 'test', 1, 'domain.active', 'x.example.com', 'issuing', 'active', ${now}, ${body},
      'pending', 0, 0, ${now}
    from generate_series(1, ${count}) as n`.execute(store.db);
  await sql`insert into lanes (domain_id, app_id, due_at)
    select 'dom_' || n, ${app.id}, ${now} from generate_series(1, ${count}) as n`.execute(store.db);
  await sql`analyze`.execute(store.db);
}

async function countOf({ store, clock }: Context, { app }: CreatedAccount) {
  const { rows } = await sql<{ begun: number; ended: number; due: number }>`
    select count(*) as begun, count(*) filter (where finished = 1) as ended,
      (select count(*) from lanes where app_id = ${app.id} and due_at <= ${clock.now()}) as due
    from deliveries where app_id = ${app.id}`.execute(store.db);
  const [{ begun, ended, due } = { begun: 0, ended: 0, due: 0 }] = rows;
  return { attempts_begun: begun, attempts_ended: ended, lanes_due: due };
}

/** @param share 0.5 is the median. */
export function quantile(times_ms: readonly number[], share: number): number {
  const sorted = times_ms.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}
