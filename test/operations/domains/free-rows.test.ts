import { afterEach, beforeEach, expect, test } from 'vitest';
import { BUDGETS } from '../../../shared/core/budgets.ts';
import type { ServiceError } from '../../../shared/core/errors.ts';
import { DAY_MS } from '../../../shared/core/instant.ts';
import { addApp } from '../../../shared/operations/accounts/create-account.ts';
import { createKey, revokeKey } from '../../../shared/operations/apps/api-keys.ts';
import { type Caller, transact } from '../../../shared/operations/context.ts';
import { createDomain } from '../../../shared/operations/domains/create-domain.ts';
import { deleteDomain } from '../../../shared/operations/domains/update-domain.ts';
import { spend } from '../../../shared/operations/spend.ts';
import { findAccount } from '../../../shared/store/accounts/accounts.ts';
import { readDomainCounts } from '../../../shared/store/domains/domain-counts.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { type JobWorld, jobWorld } from '../../jobs/job-world.ts';

/** Tests the limits on rows that cost the account nothing: test domains and keys. */
let world: JobWorld;
let caller: Caller;

beforeEach(async () => {
  world = await jobWorld();
  world.context.settings.timerForLive = false;
  caller = await world.addApp('acme');
});
afterEach(() => world[Symbol.asyncDispose]());

/** Adds another app to the caller's account. */
async function nextApp(): Promise<Caller> {
  const account = (await findAccount(world.context.store, caller.account_id)) ?? expect.fail();
  const { app } = await transact(world.context, (tx) => addApp(tx, account, { name: 'next' }));
  return { ...caller, app_id: app.id };
}

async function add(by: Caller, hostname: string): Promise<{ id: string } | ServiceError> {
  return createDomain(world.context, by, { body: { hostname } }).then(
    ({ body }) => body,
    (error: ServiceError) => error,
  );
}

/** Adds domains one after another, and deletes each at once. Returns the number of added domains. */
async function addAndDelete(by: Caller, count: number): Promise<number> {
  let added = 0;
  for (let index = 0; index < count; index++) {
    const domain = await add(by, `d${index}.acme.com`);
    if (!('id' in domain)) continue;
    added++;
    await deleteDomain(world.context, by, { params: { id: domain.id } });
  }
  return added;
}

async function setTests(count: number): Promise<void> {
  await autocommit(world.context.store).db.updateTable('domain_counts').set({ tests: count }).execute();
}

test('an account has at most 1000 test domains in all its apps, and other accounts have their own limit', async () => {
  const first = (await add(caller, 'first.acme.com')) as { id: string };
  await setTests(999);
  const other = await nextApp();
  expect(await add(other, 'last.acme.com')).toHaveProperty('status', 'pending_dns');
  expect(await add(other, 'more.acme.com')).toMatchObject({
    code: 'domain_limit_reached',
    message: 'An account can have 1000 test domains.',
    status_detail: { used: 1000, limit: 1000, hostname: 'more.acme.com', plans: [] },
  });
  // The app already has this hostname, so the create returns the existing domain in spite of the limit.
  expect(await add(other, 'last.acme.com')).toHaveProperty('status', 'pending_dns');
  expect(await add({ ...caller, mode: 'live' }, 'live.acme.com')).toHaveProperty('mode', 'live');
  expect(await add(await world.addApp('else'), 'else.example.com')).toHaveProperty('status', 'pending_dns');
  await deleteDomain(world.context, caller, { params: { id: first.id } });
  expect(await add(other, 'more.acme.com')).toHaveProperty('status', 'pending_dns');
});

test("the number of an account's test domains rises with each create and falls with each deletion", async () => {
  const { id } = (await add(caller, 'first.acme.com')) as { id: string };
  await add(caller, 'second.acme.com');
  await add({ ...caller, mode: 'live' }, 'live.acme.com');
  await deleteDomain(world.context, caller, { params: { id } });
  const counts = await readDomainCounts(world.context.store, caller.account_id);
  expect(counts).toEqual({ used: 1, added: 1, tests: 1 });
});

test('an account adds at most 2000 test domains a day, even if it deletes each one', async () => {
  const { limit } = BUDGETS.test_domains_added;
  expect(limit).toBe(2_000);
  for (let uses = 10; uses < limit; uses++)
    await spend(world.context, 'test_domains_added', caller.account_id);
  const added = await addAndDelete(caller, 30);
  expect(added).toBe(10);
  expect(await add(await nextApp(), 'next.acme.com')).toMatchObject({ code: 'rate_limited' });
  expect(await add(await world.addApp('else'), 'else.example.com')).toHaveProperty('id');
  world.clock.move(DAY_MS + DAY_MS / 100);
  expect(await add(caller, 'tomorrow.acme.com')).toHaveProperty('id');
});

test("an account that deletes live domains again and again adds at most its plan's number of domains plus 2000 a day", async () => {
  const live: Caller = { ...caller, mode: 'live' };
  await add(live, 'first.acme.com');
  await autocommit(world.context.store).db.updateTable('domain_counts').set({ added: 2_001 }).execute();
  // A day's creates: as many as the plan has live domains (1000), plus the budget for adding.
  const allowed = 1_000 + BUDGETS.live_domains_added.limit;
  expect(allowed).toBe(3_000);
  for (let uses = 10; uses < allowed; uses++)
    await spend(world.context, 'live_domains_added', caller.account_id, 1_000);
  expect(await addAndDelete(live, 30)).toBe(10);
});

test('an account has at most 1000 keys in all its apps, and other accounts have their own limit', async () => {
  const create = (by: Caller) =>
    createKey(world.context, by, { body: { name: 'key', mode: 'test' } }).then(
      ({ body }) => body,
      (error: ServiceError) => error,
    );
  const other = await nextApp();
  // Two apps of the account already have two keys each.
  for (let index = 4; index < 1_000; index++) {
    expect(await create(index % 2 === 0 ? caller : other)).toHaveProperty('id');
  }
  expect(await create(caller)).toMatchObject({
    code: 'validation_failed',
    message: expect.stringContaining('the account has 1000 keys; revoke those that are no longer used'),
  });
  expect(await create(await world.addApp('else'))).toHaveProperty('id');
  const keys = await world.context.store.db.selectFrom('api_keys').selectAll().execute();
  const own = keys.filter(({ app_id, mode }) => app_id === caller.app_id && mode === 'test').slice(0, 5);
  for (const { id } of own) await revokeKey(world.context, caller, { params: { id } });
  // Revoked keys no longer count, but the account may create only 1000 keys a day.
  expect([await create(caller), await create(caller), await create(caller)]).toEqual(
    Array(3).fill(expect.objectContaining({ id: expect.any(String) })),
  );
  await create(caller);
  expect(await create(caller)).toMatchObject({ code: 'rate_limited' });
});
