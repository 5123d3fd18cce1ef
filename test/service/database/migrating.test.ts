import { type Kysely, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { migrateDatabase } from '../../../service/database/migrations.ts';
import { openPostgresStore } from '../../../service/database/postgres-store.ts';
import { MIGRATIONS as ALL, pendingMigrations } from '../../../shared/store/migrations/migrate.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { createDeployment } from '../run-service.ts';
import { migratedDatabase } from './migrated-database.ts';

const MIGRATIONS = Object.keys(ALL);
const PENDING = `pending: ${MIGRATIONS.join(', ')}`;

describePostgres('a migration of the database is complete or has no effect', () => {
  test('is required before a fresh database is accepted', async () => {
    await using fresh = await createDeployment({ migrated: false });
    const refused = await fresh.service(['start']);
    expect(refused.exit).toBe(1);
    expect(refused.stderr).toContain('Run: nameplate service migrate');
    expect((await fresh.json(['status'])).document).toMatchObject({ migrations: PENDING });
    expect((await fresh.json(['migrate'])).document.done).toEqual(MIGRATIONS);
    expect((await fresh.json(['migrate'])).document.done).toEqual([]);
    const { document } = await fresh.json(['audit', 'list']);
    expect(document.data).toMatchObject(
      MIGRATIONS.toReversed().map((subject) => ({
        action: 'database.migrate',
        actor: 'ada@example.net',
        subject,
      })),
    );
  });

  test('runs each step only once if two migrations run at the same time', async () => {
    await using fresh = await createDeployment({ migrated: false });
    const both = await Promise.all([fresh.json(['migrate']), fresh.json(['migrate'])]);
    expect(both.map(({ exit }) => exit)).toEqual([0, 0]);
    expect(both.flatMap(({ document }) => document.done).toSorted()).toEqual(MIGRATIONS);
    expect((await fresh.json(['audit', 'list'])).document.data).toHaveLength(MIGRATIONS.length);
  });

  test('is rolled back if it cannot be written to the audit log', async () => {
    await using fresh = await createDeployment({ migrated: false });
    const log = { info: () => undefined, warn: () => undefined, error: console.error };
    const also = async () => {
      throw new Error('the record is full');
    };
    const unrecorded = migrateDatabase({ connectionString: fresh.database.url, log, also });
    await expect(unrecorded).rejects.toThrow('the record is full');
    expect((await fresh.json(['status'])).document).toMatchObject({ migrations: PENDING });
  });

  test('stops no query during a dump, and runs after the dump', async () => {
    const database = await migratedDatabase();
    const { store, close } = openPostgresStore({
      connectionString: database.url,
      onIdleError: () => undefined,
    });
    onTestFinished(async () => {
      await close();
      await database[Symbol.asyncDispose]();
    });
    const [dumping, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const dump = store.db.transaction().execute(async (db) => {
      await sql`lock table apps in access share mode`.execute(db);
      dumping.resolve();
      await end.promise;
    });
    await dumping.promise;
    const waits: unknown[] = [];
    const log = {
      info: () => undefined,
      warn: (fields: unknown) => waits.push(fields),
      error: console.error,
    };
    const addColumn = () => ({
      up: (db: Kysely<unknown>) => db.schema.alterTable('apps').addColumn('noted', 'text').execute(),
    });
    const migrations = {
      ...ALL,
      '9998-small': () => ({ up: async () => undefined }),
      '9999-column': addColumn,
    };
    const migrating = migrateDatabase({ connectionString: database.url, log, migrations, pauseMs: 10 });
    // The dump releases its lock only after these reads. If they queued behind the migration, the test would hang.
    while (waits.length < 2) await store.db.selectFrom('apps').select('id').execute();
    // The earlier migration has been committed, so only the blocked one is pending.
    expect(await pendingMigrations(store, migrations)).toEqual(['9999-column']);
    end.resolve();
    await dump;
    expect(await migrating).toEqual(['9998-small', '9999-column']);
    expect((await sql`select noted from apps`.execute(store.db)).rows).toEqual([]);
  });
});
