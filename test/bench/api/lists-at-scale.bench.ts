import pg from 'pg';
import { composeService } from '../../../service/compose.ts';
import { openPostgresStore } from '../../../service/database/postgres-store.ts';
import { migrateSchema } from '../../../shared/store/migrations/migrate.ts';
import { openSqlite } from '../../../shared/store/sqlite.ts';
import { closeStore } from '../../../shared/store/store.ts';
import { BENCH_LOG, benchConfig, migrated } from '../deliveries/service-deliverer.ts';
import type { BenchRow } from '../report.ts';
import { interleave, median } from '../rounds.ts';
import { freshDatabase, startPostgres } from '../throwaway-postgres.ts';
import { type ServedApi, serveApi } from './lists-at-scale-api.ts';
import { LIST_CASES, listPath } from './lists-at-scale-cases.ts';
import { fillLists, type LargeApp } from './lists-at-scale-fill.ts';
import { seenStatements } from './seen-statements.ts';

const DOMAINS = Number(process.env['BENCH_DOMAINS'] ?? 1_000_000);
/** SQLite gets fewer domains than Postgres, because an emulator's state is smaller, and SQLite builds its indexes row by row. */
const SQLITE_DOMAINS = DOMAINS / 5;
const ROUNDS = 7;
const CREATES_AT_ONCE = 10;
const RATIO_MAX = 10;
const SETTINGS = ['max_wal_size=8GB', 'maintenance_work_mem=512MB', 'shared_buffers=1GB', 'autovacuum=off'];

/** The two databases to compare, of which one is filled and the other empty. */
interface Contenders {
  on: string;
  domains: number;
  full: ServedApi;
  blank: ServedApi;
  /**
   * Returns the time in milliseconds. If this thread does all the work, this is the thread's CPU time, so that other load has no effect.
   */
  clockMs: () => number;
  /** The number of requests in one sample. It is large, because a thread's clock advances in steps of some milliseconds. */
  repeats: number;
  /** Returns the number of pages that a request reads. Null if the database does not report this number. */
  buffersOf: ((work: () => Promise<unknown>) => Promise<number>) | null;
}

/**
 * Measures lists, filters, creates and deletes among a million domains and three million events, compared with an empty database. Fails if
 * an operation takes more than ten times as long. `BENCH_DOMAINS` sets another number of domains.
 */
export async function listsAtScale(): Promise<BenchRow[]> {
  await using stack = new AsyncDisposableStack();
  const postgres = await startPostgres(SETTINGS);
  stack.defer(() => postgres.stop());
  const [filled, empty] = [await freshDatabase(postgres.url), await freshDatabase(postgres.url)];
  const compose = async (url: string) => {
    await migrated(url);
    const composition = await composeService(benchConfig(url), BENCH_LOG);
    stack.defer(() => composition.close());
    return composition.context;
  };
  const context = await compose(filled.url);
  const [full, blank] = [await serveApi(context), await serveApi(await compose(empty.url))];
  await timed('filling Postgres', () => fillPostgres(filled.url, full.app));
  const rows = await compare({
    on: 'Postgres',
    domains: DOMAINS,
    full,
    blank,
    clockMs: () => performance.now(),
    repeats: 1,
    buffersOf: (work) => buffersOf(filled.url, work),
  });
  const serveSqlite = async () => {
    const store = openSqlite(null);
    stack.defer(() => closeStore(store));
    await migrateSchema(store);
    return { store, served: await serveApi({ ...context, store }) };
  };
  const [large, small] = [await serveSqlite(), await serveSqlite()];
  await timed('filling SQLite', () => fillLists(large.store, large.served.app, SQLITE_DOMAINS));
  const contenders = {
    full: large.served,
    blank: small.served,
    clockMs: threadMs,
    repeats: 40,
    buffersOf: null,
  };
  rows.push(...(await compare({ on: 'SQLite', domains: SQLITE_DOMAINS, ...contenders })));
  if (rows.some(({ target }) => target?.isMet === false)) process.exitCode = 1;
  return rows;
}

/**
 * Drops the indexes, fills the tables, and creates the indexes again. With the indexes in place, the fill would take five times as long.
 */
async function fillPostgres(url: string, app: LargeApp): Promise<void> {
  const { store } = openPostgresStore({
    connectionString: url,
    connectionsMax: 1,
    statementTimeoutMs: 0,
    onIdleError: console.error,
  });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: indexes } = await client.query(
    `select indexname, indexdef from pg_indexes
     where tablename in ('domains', 'domain_metadata', 'events') and indexname not like '%\\_pk'`,
  );
  for (const { indexname } of indexes) await client.query(`drop index ${indexname}`);
  await fillLists(store, app, DOMAINS);
  for (const { indexdef } of indexes) await client.query(indexdef);
  await client.query('vacuum analyze');
  await client.end();
  await closeStore(store);
}

async function compare({
  on,
  domains,
  full,
  blank,
  clockMs,
  repeats,
  buffersOf,
}: Contenders): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const measure = async (name: string, work: (served: ServedApi) => Promise<unknown>, buffers?: number) => {
    const sample = async (served: ServedApi) => {
      const repeatedly = async () => {
        for (let n = 0; n < repeats; n++) await work(served);
      };
      return (await elapsed(clockMs, repeatedly)) / repeats;
    };
    const samples = await interleave(ROUNDS, { full: () => sample(full), blank: () => sample(blank) });
    const [value, floor] = [median(samples.full), median(samples.blank)];
    const target = { text: `${RATIO_MAX} times`, isMet: value <= RATIO_MAX * floor };
    const read = buffers === undefined ? '' : ` (${buffers} buffers)`;
    rows.push({ name: `${on}, ${name}${read}`, unit: 'ms', value, floor, target });
  };
  for (const one of LIST_CASES) {
    for (const behind of one.list === 'keys' ? [undefined] : [undefined, Math.floor(domains * 0.15)]) {
      const list = ({ app, send }: ServedApi) =>
        send('GET', listPath(one, app.app_id, behind), undefined, one.mode);
      const name = `${one.name}${behind === undefined ? '' : ', deep'}`;
      await measure(name, list, await buffersOf?.(() => list(full)));
    }
  }
  const created = new Map<ServedApi, string[]>([full, blank].map((served) => [served, []]));
  const create = async (served: ServedApi) => {
    const body = { hostname: `new-${++createdEver}.example.com`, metadata: { even: 'x', odd: 'x' } };
    const { id } = await served.send('POST', '/v1/domains', body);
    created.get(served)?.push(String(id));
  };
  await measure('create', create);
  await measure(`${CREATES_AT_ONCE} creates at once`, (served) =>
    Promise.all(Array.from({ length: CREATES_AT_ONCE }, () => create(served))),
  );
  await measure('delete', (served) => served.send('DELETE', `/v1/domains/${created.get(served)?.pop()}`));
  return rows;
}

let createdEver = 0;

async function elapsed(clockMs: () => number, work: () => Promise<unknown>): Promise<number> {
  const startedAt = clockMs();
  await work();
  return clockMs() - startedAt;
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const tookMs = await elapsed(() => performance.now(), work);
  console.error(`lists-at-scale: ${what} took ${Math.round(tookMs / 1000)} s`);
}

/** Returns the number of pages that Postgres reads for all queries of a request. */
async function buffersOf(url: string, work: () => Promise<unknown>): Promise<number> {
  const statements = await seenStatements(work);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let buffers = 0;
  for (const { text, values } of statements.filter(({ text }) => /^\s*select/.test(text))) {
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, values);
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
    buffers += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  }
  await client.end();
  return buffers;
}
