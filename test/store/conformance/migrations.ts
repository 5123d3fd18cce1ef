import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { expect, test } from 'vitest';
import { HOUR_MS } from '../../../shared/core/instant.ts';
import { noTraffic, type TrafficCounts } from '../../../shared/core/traffic/traffic-counts.ts';
import { findAccount, insertAccount } from '../../../shared/store/accounts/accounts.ts';
import { MIGRATIONS, migrateSchema, pendingMigrations } from '../../../shared/store/migrations/migrate.ts';
import type { Tables } from '../../../shared/store/tables.ts';
import { writeTraffic } from '../../../shared/store/traffic/write-traffic.ts';
import { claimDue } from '../events/lane-claims.ts';
import { aJob, jobTable } from '../jobs/job-table.ts';
import { type OpenStore, tableNames } from '../open-store.ts';
import { aDomain, anAccount, NOW, newId } from '../rows.ts';
import { insertDomain } from '../writes.ts';

const TABLES: Record<keyof Tables, true> = {
  accounts: true,
  apps: true,
  api_keys: true,
  domains: true,
  domain_metadata: true,
  domain_counts: true,
  routes: true,
  route_changes: true,
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

const UNDO_0019 = [
  'alter table apps drop column webhook_epoch',
  'alter table events drop column webhook_epoch',
  'alter table traffic drop column top',
  'drop index events_age',
  "create index events_ended on events (created_at) where delivery_status <> 'pending'",
  'create index traffic_by_app on traffic (app_id, mode, "interval", start) where subject_id <> app_id',
  "delete from kysely_migration where name >= '0019-bounded-work'",
];

export function migrationTests(open: OpenStore): void {
  test('creates every table in a blank database', async () => {
    await using opened = await open();
    expect(await tableNames(opened.store)).toEqual([]);
    await migrateSchema(opened.store);
    expect(await tableNames(opened.store)).toEqual(Object.keys(TABLES).sort());
  });

  test('names pending migrations, and none afterwards', async () => {
    await using opened = await open();
    expect((await pendingMigrations(opened.store))[0]).toBe('0001-initial');
    expect(await tableNames(opened.store)).toEqual([]);
    await migrateSchema(opened.store);
    expect(await pendingMigrations(opened.store)).toEqual([]);
  });

  test('leaves a current database unchanged', async () => {
    await using opened = await open();
    await migrateSchema(opened.store);
    const account = anAccount();
    await insertAccount(opened.store, account);
    await migrateSchema(opened.store);
    expect(await findAccount(opened.store, account.id)).toEqual(account);
  });

  test('migration 0019 fills in the busiest domains of each app, hour and day', async () => {
    await using opened = await open();
    const { store } = opened;
    await migrateSchema(store);
    const [app, other] = [newId('app'), newId('app')];
    for (const [appId, count] of [
      [app, 130],
      [other, 2],
    ] as const) {
      const domains = new Map<string, TrafficCounts>();
      for (let n = 0; n < count; n++) {
        const domain = aDomain({ app_id: appId });
        await insertDomain(store, domain);
        domains.set(domain.id, noTraffic().fill(1 + ((n * 7) % 50)));
      }
      for (const [number, hour] of [NOW, NOW + HOUR_MS].entries())
        await writeTraffic(store, { writer: appId, number: number + 1, hour, domains, apps: new Map() }, NOW);
    }
    const tops = async () => {
      const rows = await store.db
        .selectFrom('traffic')
        .select(['subject_id', 'interval', 'start', 'top'])
        .orderBy('subject_id')
        .orderBy('interval')
        .orderBy('start')
        .execute();
      return rows.map(({ top, ...row }) => ({ ...row, top: top === null ? null : JSON.parse(top) }));
    };
    const written = await tops();
    expect(written.filter(({ top }) => top !== null)).toHaveLength(6);
    for (const statement of UNDO_0019) await sql.raw(statement).execute(store.db);
    await migrateSchema(store);
    expect(await tops()).toEqual(written);
  });

  test('migrates once if several nodes start at the same time', async () => {
    await using opened = await open();
    await Promise.all(Array.from({ length: 5 }, () => migrateSchema(opened.store)));
    expect(await tableNames(opened.store)).toEqual(Object.keys(TABLES).sort());
  });

  test('a claim finds jobs and lanes that were written before migration 0018', async () => {
    await using opened = await open();
    const { db, flags } = opened.store;
    const before = Object.entries(MIGRATIONS).filter(([name]) => name < '0018');
    const migrations = Object.fromEntries(before.map(([name, make]) => [name, make(flags)]));
    const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
    expect((await migrator.migrateToLatest()).error).toBeUndefined();
    const [due, leased] = [NOW - 5, NOW + 5];
    for (const [n, dueAt] of [due, leased].entries()) {
      const lease = dueAt === leased ? 'lea_1' : null;
      await db
        .insertInto('jobs')
        .values({
          ...aJob({ app_id: n === 0 ? null : newId('app') }),
          due_at: dueAt,
          lease_id: lease,
          attempts: 0,
        })
        .execute();
      await db
        .insertInto('lanes')
        .values({ domain_id: newId('dom'), app_id: newId('app'), due_at: dueAt, lease_id: lease })
        .execute();
    }
    await db
      .insertInto('lanes')
      .values({ domain_id: newId('dom'), app_id: newId('app'), due_at: null, lease_id: null })
      .execute();
    await migrateSchema(opened.store);
    const { claim } = jobTable(() => opened.store);
    for (const now of [due, leased]) {
      expect(await claim(now - 1)).toEqual([]);
      expect(await claim(now)).toMatchObject([{ due_at: now }]);
      expect(await claimDue(opened.store, now)).toHaveLength(1);
    }
    expect(await claimDue(opened.store, NOW + 10)).toEqual([]);
  });

  test('a failed migration leaves nothing behind', async () => {
    await using opened = await open();
    const { schema } = opened.store.db;
    await schema.createTable('rate_windows').addColumn('in_the_way', 'text').execute();
    await expect(migrateSchema(opened.store)).rejects.toThrow('The database could not be migrated');
    expect(await tableNames(opened.store)).toEqual(['rate_windows']);
    await schema.dropTable('rate_windows').execute();
    await migrateSchema(opened.store);
    expect(await tableNames(opened.store)).toEqual(Object.keys(TABLES).sort());
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
}
