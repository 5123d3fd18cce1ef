import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { ServiceError } from '../../../shared/core/errors.ts';
import type { Caller, Context } from '../../../shared/operations/context.ts';
import { createDomain } from '../../../shared/operations/domains/create-domain.ts';
import { deleteDomain } from '../../../shared/operations/domains/update-domain.ts';
import { findAccount, updateAccount } from '../../../shared/store/accounts/accounts.ts';
import { readDomainCounts } from '../../../shared/store/domains/domain-counts.ts';
import { openSqlite } from '../../../shared/store/sqlite.ts';
import { autocommit, type Store } from '../../../shared/store/store.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { jobWorld } from '../../jobs/job-world.ts';
import { openDatabase } from '../../store/open-postgres.ts';

const CREATES = 50;
/** The number of live domains that the free plan allows. */
const LIMIT = 3;

describePostgres("a plan's limit holds for parallel creates on Postgres", () => {
  limitTests(async () => {
    const database = await openDatabase();
    return { store: database.store, close: () => database[Symbol.asyncDispose]() };
  });
});

describe("a plan's limit holds for parallel creates on SQLite", () => {
  limitTests(async () => ({ store: openSqlite(null), close: async () => undefined }));
});

function limitTests(open: () => Promise<{ store: Store; close(): PromiseLike<void> }>): void {
  test('lets simultaneous creates add exactly as many domains as allowed', async () => {
    await using world = await freeAccount(open);
    const { context, caller } = world;
    const answers = await Promise.all(
      Array.from({ length: CREATES }, (_, n) => outcomeOf(context, caller, `d${n}.acme.com`)),
    );
    const refused = { code: 'domain_limit_reached', used: LIMIT, limit: LIMIT };
    expect(answers.filter((answer) => answer === 'created')).toHaveLength(LIMIT);
    expect(answers.filter((answer) => answer !== 'created')).toEqual(Array(CREATES - LIMIT).fill(refused));
    expect(await rowsOf(world)).toEqual({
      domains: LIMIT,
      events: LIMIT,
      jobs: LIMIT,
      used: LIMIT,
      added: LIMIT,
    });
  });

  test('is never exceeded by simultaneous creates and deletions', async () => {
    await using world = await freeAccount(open);
    const { context, caller } = world;
    const ids: string[] = [];
    for (let n = 0; n < LIMIT; n++) {
      const { body } = await createDomain(context, caller, { body: { hostname: `first-${n}.acme.com` } });
      ids.push(body.id);
    }
    const [, ...answers] = await Promise.all([
      Promise.all(ids.map((id) => deleteDomain(context, caller, { params: { id } }))),
      ...Array.from({ length: CREATES }, (_, n) => outcomeOf(context, caller, `d${n}.acme.com`)),
    ]);
    const created = answers.filter((answer) => answer === 'created').length;
    expect(created).toBeLessThanOrEqual(LIMIT);
    expect(await rowsOf(world)).toMatchObject({ domains: created, used: created, added: LIMIT + created });
  });

  test('lets simultaneous creates reopen exactly as many expired domains as allowed', async () => {
    await using world = await freeAccount(open);
    const { context, caller } = world;
    const { db } = autocommit(context.store);
    const hostnames = Array.from({ length: 2 * LIMIT }, (_, n) => `d${n}.acme.com`);
    for (const hostname of hostnames) {
      await createDomain(context, caller, { body: { hostname } });
      await db.updateTable('domains').set({ status: 'expired' }).execute();
      await db.updateTable('domain_counts').set({ used: 0, added: 0 }).execute();
    }
    const answers = await Promise.all(hostnames.map((hostname) => outcomeOf(context, caller, hostname)));
    expect(answers.filter((answer) => answer === 'created')).toHaveLength(LIMIT);
    expect(await readDomainCounts(context.store, caller.account_id)).toMatchObject({ used: LIMIT });
  });
}

/** Returns a test service with an account on the free plan that may add live domains. */
async function freeAccount(open: () => Promise<{ store: Store; close(): PromiseLike<void> }>) {
  const { store, close } = await open();
  const world = await jobWorld(undefined, store);
  const caller: Caller = { ...(await world.addApp('acme')), mode: 'live' };
  const account = await findAccount(store, caller.account_id);
  if (account === null) throw new Error('there is no account');
  await updateAccount(autocommit(store), { ...account, plan: 'free', card_on_file: true });
  return {
    context: world.context,
    caller,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await close();
    },
  };
}

function outcomeOf(context: Context, caller: Caller, hostname: string) {
  return createDomain(context, caller, { body: { hostname } }).then(
    () => 'created' as const,
    ({ code, status_detail }: ServiceError) => {
      const { used, limit } = status_detail ?? {};
      return { code, used, limit };
    },
  );
}

async function rowsOf({ context: { store }, caller }: { context: Context; caller: Caller }) {
  const rows = await sql<Record<'domains' | 'events' | 'jobs', number>>`
    select (select count(*) from domains where status <> 'deleted') as domains, (select count(*) from events) as events,
      (select count(distinct subject_id) from jobs where subject_id like 'dom_%') as jobs`.execute(store.db);
  const { used, added } = await readDomainCounts(store, caller.account_id);
  return { ...rows.rows[0], used, added };
}
