import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readConfig } from '../../../service/config.ts';
import { openDatabase } from '../../../service/database/database.ts';
import { createJsonLog } from '../../../service/health/json-log.ts';
import { monotonicClock, systemClock } from '../../../shared/adapters/system.ts';
import type { AccountId } from '../../../shared/core/ids.ts';
import { LIMITS } from '../../../shared/core/limits.ts';
import { createAuthenticator } from '../../../shared/operations/accounts/authenticate.ts';
import { createAccount } from '../../../shared/operations/accounts/create-account.ts';
import { autocommit, type Store } from '../../../shared/store/store.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { jobWorld } from '../../jobs/job-world.ts';
import { createDeployment } from '../run-service.ts';

const APPS = 40;
const LONGER_THAN_CACHED_MS = LIMITS.key_cache_ms + 1_000;

/** Creates API keys of several apps, and reads the keys over the database connections of a node with the role `api`. */
async function keysUnderTest(apps: number) {
  const deployment = await createDeployment();
  const config = readConfig({
    ...deployment.env,
    NAMEPLATE_ROLES: 'api',
    NAMEPLATE_STATEMENT_TIMEOUT_MS: '60000',
  });
  const database = await openDatabase(config, createJsonLog('trace', { write: () => undefined }));
  const world = await jobWorld(systemClock, database.store);
  const keys: string[] = [];
  while (keys.length < apps) {
    const { test_key } = await createAccount(world.context, { name: `App ${keys.length}` });
    keys.push(`Bearer ${test_key}`);
  }
  // Marks the keys as just used, so that the node does not record their use, which would take a connection too.
  await autocommit(database.store)
    .db.updateTable('api_keys')
    .set({ last_used_at: systemClock.now() })
    .execute();
  let reads = 0;
  const counted = (store: Store): Store => {
    reads += 1;
    return store;
  };
  const { shares } = database;
  const { authenticate } = createAuthenticator(world.context, monotonicClock, {
    ...shares,
    knownKeys: (accountId) => counted(shares.knownKeys(accountId)),
  });
  return {
    database,
    keys,
    authenticate,
    reads: () => reads,
    async [Symbol.asyncDispose]() {
      await database.close();
      await deployment[Symbol.asyncDispose]();
    },
  };
}

/** Occupies one connection of a store until the result is disposed. */
async function holdConnection(store: Store) {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const ended = store.db.connection().execute(() => {
    held.resolve();
    return released.promise;
  });
  await held.promise;
  const release = () => {
    released.resolve();
    return ended;
  };
  return { release, [Symbol.asyncDispose]: release };
}

describePostgres('API keys that a node has cached are read again', () => {
  // Fakes the clock that measures the age of a key in memory.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  test('are read again over the connections of their app while the reserved connection is taken', async () => {
    await using known = await keysUnderTest(APPS);
    const { authenticate, keys, database } = known;
    const all = () => Promise.all(keys.map((key) => authenticate(key)));
    const apps = (await all()).map(({ caller }) => caller.app_id);
    vi.advanceTimersByTime(LONGER_THAN_CACHED_MS);
    await using _ = await holdConnection(database.shares.knownKeys('another' as AccountId));
    expect((await all()).map(({ caller }) => caller.app_id)).toEqual(apps);
    expect(known.reads()).toBe(APPS);
    await all();
    expect(known.reads()).toBe(APPS);
  });

  test("are read again over the reserved connection while their account's connections are taken", async () => {
    await using known = await keysUnderTest(1);
    const [key = ''] = known.keys;
    const { account_id } = (await known.authenticate(key)).caller;
    const { ofAccount } = known.database.shares;
    await using _ = await holdConnection(ofAccount(account_id));
    await using _other = await holdConnection(ofAccount(account_id));
    vi.advanceTimersByTime(LONGER_THAN_CACHED_MS);
    expect((await known.authenticate(key)).caller.account_id).toBe(account_id);
  });

  test('are cached from the time of the read, and not from the start of its wait for a connection', async () => {
    await using known = await keysUnderTest(1);
    const { authenticate, database } = known;
    const [key = ''] = known.keys;
    const { account_id } = (await authenticate(key)).caller;
    const { ofAccount, knownKeys } = database.shares;
    vi.advanceTimersByTime(LONGER_THAN_CACHED_MS);
    await using reserved = await holdConnection(knownKeys('another' as AccountId));
    await using own = await holdConnection(ofAccount(account_id));
    await using _own = await holdConnection(ofAccount(account_id));
    const waiting = authenticate(key);
    vi.advanceTimersByTime(LONGER_THAN_CACHED_MS);
    await Promise.all([reserved.release(), own.release()]);
    await waiting;
    await authenticate(key);
    expect(known.reads()).toBe(1);
  });

  test('are read again for a request that arrives while an older read hangs', async () => {
    await using known = await keysUnderTest(1);
    const { authenticate, database } = known;
    const [key = ''] = known.keys;
    await authenticate(key);
    vi.advanceTimersByTime(LONGER_THAN_CACHED_MS);
    const locked = Promise.withResolvers<void>();
    const unlock = Promise.withResolvers<void>();
    const lock = database.store.db.transaction().execute(async (db) => {
      await sql`lock table api_keys in access exclusive mode`.execute(db);
      locked.resolve();
      await unlock.promise;
    });
    await locked.promise;
    const first = authenticate(key);
    await expect.poll(() => waiting(database.healthStore)).toBe(1);
    const joined = authenticate(key);
    vi.advanceTimersByTime(LONGER_THAN_CACHED_MS);
    const second = authenticate(key);
    await expect.poll(() => waiting(database.healthStore)).toBe(2);
    unlock.resolve();
    await Promise.all([lock, first, joined, second]);
  });
});

/** Counts the connections that wait for a lock. */
async function waiting(store: Store): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`.execute(store.db);
  return rows[0]?.count ?? 0;
}
