import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findAccount, insertAccount } from '../../../shared/store/accounts/accounts.ts';
import { migrateSchema, pendingMigrations } from '../../../shared/store/migrations/migrate.ts';
import { autocommit } from '../../../shared/store/store.ts';
import type { Tables } from '../../../shared/store/tables.ts';
import { type OpenStore, tableNames } from '../open-store.ts';
import { anAccount, NOW } from '../rows.ts';

/** Every table. The compiler checks that none is missing. */
const ROWS: Record<keyof Tables, true> = {
  accounts: true,
  apps: true,
  api_keys: true,
  domains: true,
  domain_metadata: true,
  domain_counts: true,
  routes: true,
  edge_values: true,
  edge_source: true,
  edge_relay: true,
  edge_beats: true,
  edge_drains: true,
  dns_checks: true,
  mail_subscriptions: true,
  holds: true,
  events: true,
  deliveries: true,
  lanes: true,
  jobs: true,
  due_apps: true,
  idempotency: true,
  rate_windows: true,
  audit_log: true,
  members: true,
  sign_in_links: true,
  sessions: true,
  passkeys: true,
  sign_in_challenges: true,
  acme_accounts: true,
  certificates: true,
  certificate_history: true,
  revocations: true,
  certificate_orders: true,
  challenges: true,
  ca_limits: true,
  billing_accounts: true,
  billing_events: true,
  account_mails: true,
  whitelabel_endings: true,
  origin_probes: true,
  traffic: true,
  traffic_writers: true,
};
const TABLES = Object.keys(ROWS).sort();

export function migrationTests(open: OpenStore): void {
  test('creates every table in a blank database', async () => {
    await using opened = await open();
    expect(await tableNames(opened.store)).toEqual([]);
    await migrateSchema(opened.store);
    expect(await tableNames(opened.store)).toEqual(TABLES);
  });

  test('names pending migrations, and none afterwards', async () => {
    await using opened = await open();
    expect((await pendingMigrations(opened.store))[0]).toMatch(/^0001-initial-[0-9a-f]{8}$/);
    expect(await tableNames(opened.store)).toEqual([]);
    await migrateSchema(opened.store);
    expect(await pendingMigrations(opened.store)).toEqual([]);
  });

  test('leaves a current database unchanged', async () => {
    await using opened = await open();
    await migrateSchema(opened.store);
    const account = anAccount();
    await insertAccount(autocommit(opened.store), account);
    await migrateSchema(opened.store);
    expect(await findAccount(opened.store, account.id)).toEqual(account);
  });

  test('migrates once if several nodes start at the same time', async () => {
    await using opened = await open();
    await Promise.all(Array.from({ length: 5 }, () => migrateSchema(opened.store)));
    expect(await tableNames(opened.store)).toEqual(TABLES);
  });

  test('a failed migration leaves nothing behind', async () => {
    await using opened = await open();
    const { schema } = opened.store.db;
    await schema.createTable('rate_windows').addColumn('in_the_way', 'text').execute();
    await expect(migrateSchema(opened.store)).rejects.toThrow('The database could not be migrated');
    expect(await tableNames(opened.store)).toEqual(['rate_windows']);
    await schema.dropTable('rate_windows').execute();
    await migrateSchema(opened.store);
    expect(await tableNames(opened.store)).toEqual(TABLES);
  });

  test('refuses a database that a newer version migrated, and names the migration', async () => {
    await using opened = await open();
    await migrateSchema(opened.store);
    const done = { name: '9999-from-the-future', timestamp: new Date(NOW).toISOString() };
    const db = opened.store.db.withTables<{ kysely_migration: typeof done }>();
    await db.insertInto('kysely_migration').values(done).execute();
    const refusal = 'The database is newer than this version: it has the migration 9999-from';
    await expect(migrateSchema(opened.store)).rejects.toThrow(refusal);
    await expect(pendingMigrations(opened.store)).rejects.toThrow(refusal);
  });
  test('refuses the database of a preview with another schema', async () => {
    await using opened = await open();
    await migrateSchema(opened.store);
    await sql`update kysely_migration set name = '0001-initial-00000000'`.execute(opened.store.db);
    for (const attempt of [migrateSchema, pendingMigrations])
      await expect(attempt(opened.store)).rejects.toMatchObject({ code: 'database_unusable' });
  });
}
