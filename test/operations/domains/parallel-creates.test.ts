import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { ServiceError } from '../../../shared/core/errors.ts';
import { createDomain } from '../../../shared/operations/domains/create-domain.ts';
import { holdHostname } from '../../../shared/operations/domains/hold-hostname.ts';
import { deleteDomain } from '../../../shared/operations/domains/update-domain.ts';
import { findAccount, updateAccount } from '../../../shared/store/accounts/accounts.ts';
import { readDomainCounts } from '../../../shared/store/domains/domain-counts.ts';
import { findDomainOfApp } from '../../../shared/store/domains/domains.ts';
import { lockHolds } from '../../../shared/store/domains/holds.ts';
import { autocommit, inTransaction, type Store } from '../../../shared/store/store.ts';
import { seenStatements } from '../../bench/api/seen-statements.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { jobWorld } from '../../jobs/job-world.ts';
import { openDatabase } from '../../store/open-postgres.ts';

/** Tests races that need a database with several connections. */
describePostgres('parallel creates of domains on Postgres', () => {
  test('and holds of the same hostname end with a held domain or a refused create', async () => {
    await using database = await openDatabase();
    await using world = await jobWorld(undefined, database.store);
    const { context } = world;
    const caller = await world.addApp('acme');
    for (let round = 0; round < 30; round++) {
      const hostname = `r${round}.acme.com`;
      const [created] = await Promise.all([
        createDomain(context, caller, { body: { hostname } }).then(
          () => 'created',
          (error: ServiceError) => error.code,
        ),
        holdHostname(context, hostname, null),
      ]);
      const domain = await findDomainOfApp(context.store, caller.app_id, hostname);
      if (created === 'created') expect(domain?.status).toBe('held');
      else expect({ created, domain }).toEqual({ created: 'hostname_held', domain: null });
    }
  });

  test('of the same live domain, with room for one in the plan: one creates the domain, and the other nine return it', async () => {
    await using database = await openDatabase();
    await using world = await jobWorld(undefined, database.store);
    const { context } = world;
    const caller = { ...(await world.addApp('acme')), mode: 'live' as const };
    const account = await findAccount(context.store, caller.account_id);
    if (account === null) throw new Error('there is no account');
    await updateAccount(autocommit(context.store), { ...account, plan: 'free', card_on_file: true });
    await createDomain(context, caller, { body: { hostname: 'one.acme.com' } });
    await createDomain(context, caller, { body: { hostname: 'two.acme.com' } });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        createDomain(context, caller, { body: { hostname: 'three.acme.com' } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200, 200, 200, 200, 200, 200, 200, 200, 200, 201,
    ]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  });

  test('of 25 test domains add only one if the limit leaves room for one', async () => {
    await using database = await openDatabase();
    await using world = await jobWorld(undefined, database.store);
    const { context } = world;
    context.settings.timerForLive = false;
    const caller = await world.addApp('acme');
    await createDomain(context, caller, { body: { hostname: 'first.acme.com' } });
    await autocommit(context.store).db.updateTable('domain_counts').set({ tests: 999 }).execute();
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        createDomain(context, caller, { body: { hostname: `d${index}.acme.com` } }).then(
          () => 'created',
          (error: ServiceError) => error.code,
        ),
      ),
    );
    expect(answers.filter((code) => code === 'created')).toHaveLength(1);
    expect(answers.filter((code) => code === 'domain_limit_reached')).toHaveLength(24);
  });

  test('of test domains update the rate window once each', async () => {
    await using database = await openDatabase();
    await using world = await jobWorld(undefined, database.store);
    const { context } = world;
    context.settings.timerForLive = false;
    const caller = await world.addApp('acme');
    const create = (name: string) =>
      createDomain(context, caller, { body: { hostname: `${name}.acme.com` } });
    await create('first');
    const seen = await seenStatements(() =>
      Promise.all(Array.from({ length: 15 }, (_, index) => create(`d${index}`))),
    );
    expect(seen.filter(({ text }) => text.startsWith('update "rate_windows"'))).toHaveLength(15);
    const { used } = await context.store.db
      .selectFrom('rate_windows')
      .select('used')
      .where('name', '=', `test_domains_added:${caller.account_id}`)
      .executeTakeFirstOrThrow();
    expect(used).toBe(16);
  });

  test('of the same test domain, ten at a time, leave the rows of only one domain', async () => {
    await using database = await openDatabase();
    await using world = await jobWorld(undefined, database.store);
    const { context } = world;
    const caller = await world.addApp('acme');
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        createDomain(context, caller, { body: { hostname: 'one.acme.com', metadata: { n: `${n}` } } }),
      ),
    );
    const created = answers.filter(({ status }) => status === 201);
    expect(created.length).toBe(1);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const { db } = context.store;
    const ids = [
      await db.selectFrom('domains').select('id').execute(),
      await db.selectFrom('events').select('domain_id as id').execute(),
      await db
        .selectFrom('jobs')
        .select('subject_id as id')
        .distinct()
        .where('app_id', 'is not', null)
        .execute(),
      await db.selectFrom('lanes').select('domain_id as id').execute(),
      await db.selectFrom('domain_metadata').select('domain_id as id').execute(),
    ];
    expect(ids).toEqual(Array(ids.length).fill([{ id: created[0]?.body.id }]));
  });

  test('of one hostname in live and test mode leave one domain, which is counted only in its own mode', async () => {
    await using database = await openDatabase();
    await using world = await jobWorld(undefined, database.store);
    const { context } = world;
    const testCaller = await world.addApp('acme');
    const liveCaller = { ...testCaller, mode: 'live' as const };
    for (let round = 0; round < 10; round++) {
      const body = { hostname: `r${round}.acme.com` };
      const before = await readDomainCounts(context.store, liveCaller.account_id);
      const outcomes = await Promise.allSettled([
        createDomain(context, liveCaller, { body }),
        createDomain(context, testCaller, { body }),
      ]);
      const created = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value.body.mode] : []));
      expect(created.length).toBe(1);
      const counted = Number(created[0] === 'live');
      expect(await readDomainCounts(context.store, liveCaller.account_id)).toEqual({
        used: before.used + counted,
        added: before.added + counted,
        tests: before.tests + 1 - counted,
      });
    }
  });

  test('of a domain that is being held respond with the status after the hold', async () => {
    await using database = await openDatabase();
    await using world = await jobWorld(undefined, database.store);
    const { context } = world;
    const caller = await world.addApp('acme');
    const hostname = 'one.acme.com';
    const id = await world.addDomain(caller, hostname);
    const [locked, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = inTransaction(context.store, async (tx) => {
      await lockHolds(tx);
      locked.resolve();
      await end.promise;
      await tx.db.updateTable('domains').set({ status: 'held' }).where('id', '=', id).execute();
    });
    await locked.promise;
    const answer = createDomain(context, caller, { body: { hostname } });
    try {
      await expect.poll(() => lockWaits(context.store)).toBe(1);
    } finally {
      end.resolve();
      await holding;
    }
    expect((await answer).body.status).toBe('held');
  });

  test.each(['create', 'delete'])(
    'a %s that waits for a lock on deliveries does not lock the counts of its account',
    async (change) => {
      await using database = await openDatabase();
      await using world = await jobWorld(undefined, database.store);
      const { context } = world;
      const caller = { ...(await world.addApp('acme')), mode: 'live' as const };
      const id = await world.addDomain(caller, 'one.acme.com');
      const [locked, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const busy = inTransaction(context.store, async ({ db }) => {
        await sql`lock table lanes in share mode`.execute(db);
        locked.resolve();
        await end.promise;
      });
      await locked.promise;
      const changed =
        change === 'create'
          ? createDomain(context, caller, { body: { hostname: 'two.acme.com' } })
          : deleteDomain(context, caller, { params: { id } });
      try {
        await expect.poll(() => lockWaits(context.store)).toBe(1);
        const free = await inTransaction(context.store, ({ db }) =>
          db.selectFrom('domain_counts').selectAll().forUpdate().skipLocked().execute(),
        );
        expect(free).toEqual([{ account_id: caller.account_id, used: 1, added: 1, tests: 0 }]);
      } finally {
        end.resolve();
        await Promise.all([busy, changed]);
      }
      const counts = change === 'create' ? { used: 2, added: 2 } : { used: 0, added: 1 };
      expect(await readDomainCounts(context.store, caller.account_id)).toMatchObject(counts);
    },
  );
});

/** Returns the number of transactions that wait for a lock. */
async function lockWaits({ db }: Store): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length;
}
