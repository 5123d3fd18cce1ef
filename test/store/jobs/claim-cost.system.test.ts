import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgresStore } from '../../../service/database/postgres-store.ts';
import { JOB_KINDS } from '../../../shared/core/domains/job.ts';
import { migrateSchema } from '../../../shared/store/migrations/migrate.ts';
import { autocommit, closeStore, type Store } from '../../../shared/store/store.ts';
import { seenStatements } from '../../bench/api/seen-statements.ts';
import { hasPostgres15, startPostgres15 } from '../../bench/deliveries/service-claim-cost-postgres-15.ts';
import { freshDatabase, type ThrowawayPostgres } from '../../bench/throwaway-postgres.ts';
import { createDatabase, describePostgres, type TestDatabase } from '../../fixtures/postgres/postgres.ts';
import { claimDue } from '../events/lane-claims.ts';
import { NOW } from '../rows.ts';
import { jobTable } from './job-table.ts';

/** Lanes (queues of events) to insert. `app` is an SQL expression of the lane's number `n`. */
interface Lanes {
  count: number;
  app: string;
  due_at: number;
}

const FEW = 1_000;
const MANY = 20_000;
/** The factor by which a claim may cost more in the larger table, whose indexes are deeper. */
const GROWTH_MAX = 1.5;

const DUE: Lanes = { count: 40, app: `'app_' || n % 5`, due_at: NOW - 1 };
/** More due event queues (lanes) than a claim reads in one query to find the apps with due work. */
const DUE_BY_HUNDREDS: Lanes = { count: 700, app: `'app_' || n % 5`, due_at: NOW - 1 };

describePostgres('the cost of claiming due work', () => costTests(createDatabase));

const WHERE = 'on Postgres 15, the oldest that the service runs on';
if (!hasPostgres15())
  console.warn(`SKIPPED the cost of a claim ${WHERE}: it is not installed (Debian: postgresql-15)`);
describe.skipIf(!hasPostgres15())(`the cost of claiming due work ${WHERE}`, () => {
  let server: ThrowawayPostgres | null = null;
  beforeAll(async () => {
    server = await startPostgres15([]);
  });
  afterAll(() => server?.stop());
  costTests(async () => {
    const { url, drop } = await freshDatabase(server?.url ?? '');
    return { url, [Symbol.asyncDispose]: drop };
  });
});

function costTests(create: () => Promise<TestDatabase>): void {
  test.each<[string, Lanes, string]>([
    ['the lanes of apps that wait for a retry', DUE, `'wait_' || n % 5`],
    ['the apps that wait for a retry', DUE, `'wait_' || n`],
    ['the lanes of apps that wait for a retry, while hundreds are due', DUE_BY_HUNDREDS, `'wait_' || n % 5`],
    ['the lanes of due apps that wait for a retry', DUE_BY_HUNDREDS, `'app_' || n % 5`],
  ])('does not grow with the number of %s', async (_, due, app) => {
    const waiting = { app, due_at: NOW + 1000 };
    const cost = (count: number) =>
      buffersRead(create, {
        table: 'lanes',
        fill: [due, { ...waiting, count }].map(insertLanes),
        // Claims half of the due event queues, so that due queues are left when the claim's statement is executed again below.
        claim: (store) => claimDue(store, NOW, { roomOf: () => 4, lanesMax: 20 }),
      });
    const few = await cost(FEW);
    expect(few).toBeGreaterThan(0);
    expect(await cost(MANY)).toBeLessThanOrEqual(GROWTH_MAX * few);
  });

  test.each([
    ['the jobs that are not due yet', 'check_dns', NOW + 1000],
    ['the overdue jobs of a kind without capacity', 'check_dns', NOW - 1000],
  ])('does not grow with the number of %s', async (_, kind, dueAt) => {
    const cost = (count: number) =>
      buffersRead(create, {
        table: 'jobs',
        fill: [insertJobs('issue', 40, NOW - 1), insertJobs(kind, count, dueAt)],
        claim: (store) =>
          jobTable(() => autocommit(store)).claim(NOW, {
            limit: 20,
            kinds: JOB_KINDS.filter((each) => each !== 'check_dns' || dueAt > NOW),
          }),
      });
    const few = await cost(FEW);
    expect(few).toBeGreaterThan(0);
    expect(await cost(MANY)).toBeLessThanOrEqual(GROWTH_MAX * few);
  });
}

function insertLanes({ count, app, due_at }: Lanes, i: number): string {
  return `
    insert into lanes (domain_id, app_id, due_at)
    select 'dom_${i}_' || n, ${app}, ${due_at} from generate_series(1, ${count}) n`;
}

function insertJobs(kind: string, count: number, dueAt: number): string {
  return `
    insert into jobs (kind, subject_id, app_id, due_at, attempts)
    select '${kind}', 'dom_' || n, 'app_' || n % 5, ${dueAt}, 0 from generate_series(1, ${count}) n`;
}

const TABLES = ['jobs', 'lanes', 'due_apps'];

interface Claim {
  table: 'lanes' | 'jobs';
  fill: readonly string[];
  claim: (store: Store) => Promise<unknown>;
}

/** Returns the number of buffers that Postgres reads for one claim, according to `explain`. */
async function buffersRead(
  create: () => Promise<TestDatabase>,
  { table, fill, claim }: Claim,
): Promise<number> {
  await using database = await create();
  const client = new pg.Client({ connectionString: database.url });
  const { store } = openPostgresStore({ connectionString: database.url, onIdleError: console.error });
  try {
    await migrateSchema(store);
    await client.connect();
    // Autovacuum could change only one of the two databases that a test compares, so it is off.
    for (const each of TABLES) await client.query(`alter table ${each} set (autovacuum_enabled = false)`);
    for (const statement of fill) await client.query(statement);
    await client.query(`vacuum analyze ${TABLES.join(', ')}`);
    const statements = await seenStatements(() => claim(store));
    let buffers = 0;
    for (const { text, values } of statements) {
      if (!text.includes(table) || text.trim().startsWith('update')) continue;
      const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, values);
      const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
      buffers += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    }
    return buffers;
  } finally {
    await client.end();
    await closeStore(store);
  }
}
