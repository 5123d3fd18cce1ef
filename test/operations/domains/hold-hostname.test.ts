import { describe, expect, test } from 'vitest';
import type { DomainId } from '../../../shared/core/ids.ts';
import { MINUTE_MS } from '../../../shared/core/instant.ts';
import { createJobWorker } from '../../../shared/jobs/job-worker.ts';
import { type Caller, transact } from '../../../shared/operations/context.ts';
import { createDomain } from '../../../shared/operations/domains/create-domain.ts';
import {
  applyHold,
  holdHostname,
  liftHold,
  placeHold,
  releaseHostname,
} from '../../../shared/operations/domains/hold-hostname.ts';
import { lockDomainsUnderHold } from '../../../shared/store/domains/domains-of-hostname.ts';
import { selectJobs } from '../../../shared/store/jobs/jobs.ts';
import { inTransaction, type Store } from '../../../shared/store/store.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { type JobWorld, jobWorld } from '../../jobs/job-world.ts';
import { openDatabase } from '../../store/open-postgres.ts';

/** One transaction handles fewer domains than this. */
const MANY = 105;
const LEASE_MS = 2 * MINUTE_MS;

describe('a hold covers many domains', () => {
  test('applies to all of them, and so does its release', async () => {
    await using world = await holdWorld();
    const ids = await addDomains(world, MANY);
    await holdHostname(world.context, '*.acme.com', 'phishing');
    expect(await statuses(world, ids)).toEqual({ held: MANY });
    await releaseHostname(world.context, '*.acme.com');
    expect(await statuses(world, ids)).toEqual({ pending_dns: MANY });
    expect(await owed(world)).toEqual([]);
  });

  test('prevents new domains as soon as it is placed, before any existing domain is held', async () => {
    await using world = await holdWorld();
    const ids = await addDomains(world, 1);
    await inTransaction(world.context.store, (store) =>
      placeHold({ ...world.context, store }, '*.acme.com', null),
    );
    expect(await statuses(world, ids)).toEqual({ pending_dns: 1 });
    await expect(
      createDomain(world.context, world.caller, { body: { hostname: 'new.acme.com' } }),
    ).rejects.toMatchObject({ code: 'hostname_held' });
  });

  test.each(['placed', 'lifted'])(
    'is completed by a worker if it was %s by a process that then died',
    async (act) => {
      await using world = await holdWorld();
      const ids = await addDomains(world, 3);
      if (act === 'lifted') await holdHostname(world.context, '*.acme.com', null);
      await inTransaction(world.context.store, async (store) => {
        const tx = { ...world.context, store };
        if (act === 'placed') await placeHold(tx, '*.acme.com', null);
        else await liftHold(tx, '*.acme.com');
      });
      await workOff(world);
      expect(await owed(world)).toHaveLength(1);
      world.clock.move(LEASE_MS);
      await workOff(world);
      expect(await owed(world)).toEqual([]);
      expect(await statuses(world, ids)).toEqual({ [act === 'placed' ? 'held' : 'pending_dns']: 3 });
    },
  );

  test('holds no domain if it is released while it is applied, and leaves one job for the release', async () => {
    await using world = await holdWorld();
    const ids = await addDomains(world, 3);
    const { context } = world;
    const { job } = await transact(context, (tx) => placeHold(tx, '*.acme.com', null));
    await transact(context, (tx) => liftHold(tx, '*.acme.com'));
    await applyHold(context, job);
    expect(await statuses(world, ids)).toEqual({ pending_dns: 3 });
    expect(await owed(world)).toHaveLength(1);
  });

  test('cannot be released if it does not exist, and the attempt leaves no job', async () => {
    await using world = await holdWorld();
    await addDomains(world, 1);
    await expect(releaseHostname(world.context, '*.acme.com')).rejects.toMatchObject({ code: 'not_found' });
    expect(await owed(world)).toEqual([]);
  });
});

describePostgres('holds on Postgres work with concurrent changes', () => {
  test('do not delay new domains with other names, or earlier batches, while one batch waits for a domain', async () => {
    await using database = await openDatabase();
    await using world = await holdWorld(database.store);
    const { context } = world;
    const ids = await addDomains(world, MANY);
    const order = await inTransaction(context.store, (tx) =>
      lockDomainsUnderHold(tx, '*.acme.com', MANY, null),
    );
    const last = order.at(-1)?.id ?? ('' as DomainId);
    const [locked, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const busy = inTransaction(context.store, async ({ db }) => {
      await db.selectFrom('domains').select('id').where('id', '=', last).forUpdate().execute();
      locked.resolve();
      await end.promise;
    });
    await locked.promise;
    const held = holdHostname(context, '*.acme.com', null);
    await expect.poll(() => statuses(world, ids)).toEqual({ held: 100, pending_dns: 5 });
    await createDomain(context, world.caller, { body: { hostname: 'careers.other.com' } });
    end.resolve();
    await Promise.all([busy, held]);
    expect(await statuses(world, ids)).toEqual({ held: MANY });
  });

  test('leave only the domains held that a remaining hold covers, after concurrent holds and releases of overlapping names', async () => {
    await using database = await openDatabase();
    await using world = await holdWorld(database.store);
    const { context } = world;
    const ids = await addDomains(world, 5);
    for (let round = 0; round < 10; round++) {
      await holdHostname(context, '*.acme.com', null);
      await Promise.all([
        holdHostname(context, '*.shop.acme.com', null),
        releaseHostname(context, '*.acme.com'),
      ]);
      expect(await statuses(world, ids)).toEqual({ held: 5 });
      await Promise.all([
        holdHostname(context, 'd0.shop.acme.com', null),
        releaseHostname(context, '*.shop.acme.com'),
      ]);
      expect(await statuses(world, ids)).toEqual({ held: 1, pending_dns: 4 });
      await releaseHostname(context, 'd0.shop.acme.com');
    }
  });
});

interface HoldWorld extends JobWorld {
  caller: Caller;
}

async function holdWorld(store?: Store): Promise<HoldWorld> {
  const world = await jobWorld(undefined, store);
  return Object.assign(world, { caller: await world.addApp('acme') });
}

async function addDomains(world: HoldWorld, count: number): Promise<DomainId[]> {
  const ids: DomainId[] = [];
  for (let n = 0; n < count; n++) ids.push(await world.addDomain(world.caller, `d${n}.shop.acme.com`));
  return ids;
}

/** Returns the number of these domains in each status. */
async function statuses({ context }: HoldWorld, ids: readonly DomainId[]): Promise<Record<string, number>> {
  const rows = await context.store.db
    .selectFrom('domains')
    .select(['status', (eb) => eb.fn.countAll<number>().as('count')])
    .where('id', 'in', ids)
    .groupBy('status')
    .execute();
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

async function owed({ context }: HoldWorld): Promise<unknown[]> {
  const jobs = await selectJobs(context.store, { limit: 1000 });
  return jobs.filter(({ subject_id }) => subject_id === '*.acme.com');
}

async function workOff({ context }: HoldWorld): Promise<void> {
  const worker = createJobWorker(context, Object.fromEntries([['apply_hold', applyHold]]), () => undefined);
  await worker.claim();
  await worker.idle();
}
