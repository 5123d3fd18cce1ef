import { expect, test } from 'vitest';
import type { ServiceError } from '../../../shared/core/errors.ts';
import { createDeliverer } from '../../../shared/jobs/deliverer.ts';
import { addApp } from '../../../shared/operations/accounts/create-account.ts';
import { updateCurrentApp } from '../../../shared/operations/apps/update-app.ts';
import type { Caller } from '../../../shared/operations/context.ts';
import { findAccount } from '../../../shared/store/accounts/accounts.ts';
import { getApp } from '../../../shared/store/accounts/apps.ts';
import { inTransaction } from '../../../shared/store/store.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { type JobWorld, jobWorld, status } from '../../jobs/job-world.ts';
import { openDatabase } from '../../store/open-postgres.ts';

const URL = 'https://acme.example/';
/** More domains than fit into one transaction. */
const MANY = 205;

test('ends the pending deliveries of any number of domains when the webhook URL is cleared, and a new URL revives none', async () => {
  await using world = await jobWorld();
  await clearAndSet(world, MANY);
});

describePostgres('on Postgres', () => {
  test('ends all pending deliveries when the webhook URL is cleared', async () => {
    await using database = await openDatabase();
    await using world = await jobWorld(undefined, database.store);
    await clearAndSet(world, MANY);
  });

  test('clears the URL and ends earlier deliveries even while the last of them wait for a lane', async () => {
    await using database = await openDatabase();
    await using world = await jobWorld(undefined, database.store);
    const { store } = world.context;
    const caller = await addDomains(world, MANY);
    const [locked, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const busy = inTransaction(store, async ({ db }) => {
      await db
        .selectFrom('lanes')
        .select('due_at')
        .orderBy('domain_id', 'desc')
        .limit(1)
        .forUpdate()
        .execute();
      locked.resolve();
      await end.promise;
    });
    await locked.promise;
    const cleared = setUrl(world, caller, null);
    await expect
      .poll(() => deliveries(world, caller), { timeout: 20_000 })
      .toEqual({ none: 200, pending: 5 });
    expect((await getApp(store, caller.app_id)).webhook_url).toBeNull();
    end.resolve();
    await Promise.all([busy, cleared]);
    expect(await deliveries(world, caller)).toEqual({ none: MANY });
  });
});

test("ends deliveries that wait behind a running attempt, and that attempt's event if it fails, when the webhook URL is cleared", async () => {
  await using world = await jobWorld();
  const caller = await addDomains(world, 1);
  const answered = Promise.withResolvers<void>();
  world.answer = async () => {
    await answered.promise;
    return status(500);
  };
  const deliverer = createDeliverer(
    world.context,
    { inFlightMax: 5, inFlightPerAccountMax: 5 },
    { onRoom: () => undefined },
  );
  await deliverer.claim();
  await setUrl(world, caller, null);
  await setUrl(world, caller, URL);
  answered.resolve();
  await deliverer.idle();
  expect(await deliveries(world, caller)).toEqual({ failed: 1 });
});

test('2500 changes of an origin that redirects send 180 requests to it, and another account changes its own', async () => {
  await using world = await jobWorld();
  world.context.settings.timerForLive = false;
  const caller = await world.addApp('acme');
  const account = (await findAccount(world.context.store, caller.account_id)) ?? expect.fail();
  const { app } = await addApp(world.context, account, { name: 'second' });
  let requests = 0;
  world.context.outbound.send = async ({ url }) => {
    requests++;
    return { ok: true, status_code: 302, headers: { location: `${url}x` }, response_ms: 1 };
  };
  const setOrigin = (by: Caller) =>
    updateCurrentApp(world.context, by, { body: { origin_url: 'https://victim.example' } }).then(
      () => 'ok',
      (error: ServiceError) => error.code,
    );
  const outcomes: string[] = [];
  for (let count = 0; count < 2_500; count++) {
    outcomes.push(await setOrigin(count % 2 === 0 ? caller : { ...caller, app_id: app.id }));
    world.clock.move(1);
  }
  expect({ set: outcomes.filter((code) => code === 'ok').length, requests }).toEqual({
    set: 30,
    requests: 180,
  });
  expect(await setOrigin(await world.addApp('else'))).toBe('ok');
  world.clock.move(60_000);
  expect(await setOrigin(caller)).toBe('ok');
});

async function clearAndSet(world: JobWorld, domains: number): Promise<void> {
  const caller = await addDomains(world, domains);
  await setUrl(world, caller, null);
  expect(await deliveries(world, caller)).toEqual({ none: domains });
  await setUrl(world, caller, URL);
  expect(await deliveries(world, caller)).toEqual({ none: domains });
}

async function addDomains(world: JobWorld, count: number): Promise<Caller> {
  const caller = await world.addApp('acme');
  for (let n = 0; n < count; n++) await world.addDomain(caller, `d${n}.acme.com`);
  return caller;
}

async function setUrl({ context }: JobWorld, caller: Caller, webhookUrl: string | null): Promise<void> {
  await updateCurrentApp(context, caller, { body: { webhook_url: webhookUrl } });
}

/** Counts the app's events by `delivery_status`. */
async function deliveries({ context }: JobWorld, { app_id }: Caller): Promise<Record<string, number>> {
  const rows = await context.store.db
    .selectFrom('events')
    .select(['delivery_status', (eb) => eb.fn.countAll<number>().as('count')])
    .where('app_id', '=', app_id)
    .groupBy('delivery_status')
    .execute();
  return Object.fromEntries(rows.map(({ delivery_status, count }) => [delivery_status, count]));
}
