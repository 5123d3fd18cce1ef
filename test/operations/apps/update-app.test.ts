import { expect, test } from 'vitest';
import type { ServiceError } from '../../../shared/core/errors.ts';
import { createDeliverer } from '../../../shared/jobs/deliverer.ts';
import { createRunner } from '../../../shared/jobs/runner.ts';
import { addApp } from '../../../shared/operations/accounts/create-account.ts';
import { updateCurrentApp } from '../../../shared/operations/apps/update-app.ts';
import { type Caller, type Context, transact } from '../../../shared/operations/context.ts';
import { deleteDomain } from '../../../shared/operations/domains/update-domain.ts';
import { endDeliveries } from '../../../shared/operations/events/deliver-events.ts';
import { listEvents } from '../../../shared/operations/events/present-event.ts';
import { findAccount } from '../../../shared/store/accounts/accounts.ts';
import { inTransaction } from '../../../shared/store/store.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { type JobWorld, jobWorld, status } from '../../jobs/job-world.ts';
import { openDatabase } from '../../store/open-postgres.ts';

const URL = 'https://acme.example/';
/** One transaction handles fewer domains than this. */
const MANY = 205;

test('clearing the webhook URL ends the pending deliveries of any number of domains, and a new URL revives none', async () => {
  await using world = await jobWorld();
  await clearAndSet(world, MANY);
});

describePostgres('an app update on Postgres', () => {
  test('clearing the webhook URL ends all pending deliveries', async () => {
    await using database = await openDatabase();
    await using world = await jobWorld(undefined, database.store);
    await clearAndSet(world, MANY);
  });

  test('a request clears the webhook URL while the deliveries of a domain are locked, and after a crash the job continues', async () => {
    await using database = await openDatabase();
    await using world = await jobWorld(undefined, database.store);
    const { store } = world.context;
    const caller = await addDomains(world, MANY);
    const end = new Error('crash');
    const busy = inTransaction(store, async ({ db }) => {
      await db
        .selectFrom('lanes')
        .select('due_at')
        .orderBy('domain_id', 'desc')
        .limit(1)
        .forUpdate()
        .execute();
      await setUrl(world, caller, null);
      expect(await shown(world, caller)).toEqual({ none: MANY });
      expect(await stored(world, caller)).toEqual({ pending: MANY });
      throw end;
    });
    await expect(busy).rejects.toBe(end);
    let batches = 0;
    const context: Context = {
      ...world.context,
      guard: {
        begin: async () => {
          if (++batches === 3) throw end;
        },
        unchanged: async () => undefined,
      },
    };
    await expect(endDeliveries(context, { subject_id: caller.app_id })).rejects.toBe(end);
    expect(await stored(world, caller)).toEqual({ none: 200, pending: 5 });
    expect(await shown(world, caller)).toEqual({ none: MANY });
    await runDue(world);
    expect(await stored(world, caller)).toEqual({ none: MANY });
  });
});

test('a new webhook URL gets later events even if the job has not ended the cancelled events yet', async () => {
  await using world = await jobWorld();
  const caller = await world.addApp('acme');
  const domainId = await world.addDomain(caller, 'careers.acme.com');
  await setUrl(world, caller, null);
  await setUrl(world, caller, URL);
  await deleteDomain(world.context, caller, { params: { id: domainId } });
  expect(await shown(world, caller)).toEqual({ none: 1, pending: 1 });
  const page = await listEvents(world.context, caller, { query: { limit: 10 } });
  expect(page.body.data[0]?.delivery.next_attempt_at).not.toBeNull();
  const deliverer = createDeliverer(
    world.context,
    { inFlightMax: 5, inFlightPerAccountMax: 5 },
    { onRoom: () => undefined },
  );
  await deliverer.claim();
  await deliverer.idle();
  expect(world.sent.map(({ type }) => type)).toEqual(['domain.deleted']);
  expect(await stored(world, caller)).toEqual({ none: 1, delivered: 1 });
});

test('clearing the webhook URL ends the deliveries behind a running attempt, and the running delivery if its attempt fails', async () => {
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
  expect(await stored(world, caller)).toEqual({ failed: 1 });
});

test('an account with 2500 origin changes causes only 180 requests to an origin, and other accounts can still change theirs', async () => {
  await using world = await jobWorld();
  world.context.settings.timerForLive = false;
  const caller = await world.addApp('acme');
  const account = (await findAccount(world.context.store, caller.account_id)) ?? expect.fail();
  const { app } = await transact(world.context, (tx) => addApp(tx, account, { name: 'second' }));
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
  expect(await shown(world, caller)).toEqual({ none: domains });
  await setUrl(world, caller, URL);
  expect(await shown(world, caller)).toEqual({ none: domains });
  await runDue(world);
  expect(await stored(world, caller)).toEqual({ none: domains });
  expect(world.sent).toEqual([]);
}

/** Runs the due deliveries, and the job that ends the cancelled deliveries. */
async function runDue({ context }: JobWorld): Promise<void> {
  const limits = { inFlightMax: 5, inFlightPerAccountMax: 5 };
  const handlers = { end_deliveries: endDeliveries };
  const runner = createRunner(context, { handlers, limits, pollMs: 1_000 });
  await runner.runDue(1_000);
}

async function addDomains(world: JobWorld, count: number): Promise<Caller> {
  const caller = await world.addApp('acme');
  for (let n = 0; n < count; n++) await world.addDomain(caller, `d${n}.acme.com`);
  return caller;
}

async function setUrl({ context }: JobWorld, caller: Caller, webhookUrl: string | null): Promise<void> {
  await updateCurrentApp(context, caller, { body: { webhook_url: webhookUrl } });
}

/** Counts the app's events by the delivery status that the API shows. */
async function shown({ context }: JobWorld, caller: Caller): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (let cursor: string | undefined; ; ) {
    const { body } = await listEvents(context, caller, { query: { limit: 100, ...(cursor && { cursor }) } });
    for (const { delivery } of body.data) counts[delivery.status] = (counts[delivery.status] ?? 0) + 1;
    if (body.next_cursor === null) return counts;
    cursor = body.next_cursor;
  }
}

/** Counts the app's events by the delivery status in the table of events. */
async function stored({ context }: JobWorld, { app_id }: Caller): Promise<Record<string, number>> {
  const rows = await context.store.db
    .selectFrom('events')
    .select(['delivery_status', (eb) => eb.fn.countAll<number>().as('count')])
    .where('app_id', '=', app_id)
    .groupBy('delivery_status')
    .execute();
  return Object.fromEntries(rows.map(({ delivery_status, count }) => [delivery_status, count]));
}
