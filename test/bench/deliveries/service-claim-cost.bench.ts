import pg from 'pg';
import { composeService } from '../../../service/compose.ts';
import { JOB_KINDS } from '../../../shared/core/domains/job.ts';
import type { Context } from '../../../shared/operations/context.ts';
import { claimDueLanes } from '../../../shared/operations/events/deliver-events.ts';
import { claimJobs } from '../../../shared/store/claim-jobs.ts';
import { inTransaction } from '../../../shared/store/store.ts';
import { seenStatements } from '../api/seen-statements.ts';
import type { BenchRow } from '../report.ts';
import { median } from '../rounds.ts';
import { freshDatabase, startPostgres, type ThrowawayPostgres } from '../throwaway-postgres.ts';
import { fillBacklog, scheduleDomains } from './service-backlog.ts';
import { startPostgres15 } from './service-claim-cost-postgres-15.ts';
import { BENCH_LOG, benchConfig, migrated } from './service-deliverer.ts';

const FEW = 10_000;
const DOMAINS = 1_000_000;
const LANES = 200;
const JOBS = 50;
const ROUNDS = 5;
/** The factor by which a claim may cost more in a larger table, whose indexes are deeper. */
const GROWTH_MAX = 1.5;

interface Cost {
  buffers: number;
  ms: number;
}

const SETTINGS = ['max_wal_size=8GB', 'maintenance_work_mem=512MB', 'shared_buffers=1GB'];

/**
 * Measures how many buffers Postgres reads for a claim of due lanes (queues of a domain's events) and for a claim of due jobs. Runs with
 * few and with many events, on the newest and the oldest supported Postgres. `--full` uses ten times as many events.
 */
export async function serviceClaimCost(): Promise<BenchRow[]> {
  const many = process.argv.includes('--full') ? 10_000_000 : 1_000_000;
  if (many < 10_000_000) console.error(`service-claim-cost: ${many} events; --full has 10 million`);
  const newest = await compare(await startPostgres(SETTINGS), many);
  const oldest = await startPostgres15(SETTINGS);
  if (oldest === null) {
    console.error('SKIPPED service-claim-cost on Postgres 15: it is not installed (Debian: postgresql-15)');
    return newest;
  }
  return [...newest, ...(await compare(oldest, many))];
}

async function compare(postgres: ThrowawayPostgres, many: number): Promise<BenchRow[]> {
  try {
    const few = await measure(postgres.url, FEW, FEW);
    const lots = await measure(postgres.url, many, DOMAINS);
    const on = `Postgres ${few.version}`;
    return [
      ...rows(`${on}, claim of ${LANES} lanes among ${many} events`, lots.lanes, few.lanes),
      ...rows(`${on}, claim of ${JOBS} jobs among ${DOMAINS} domains`, lots.jobs, few.jobs),
    ];
  } finally {
    await postgres.stop();
  }
}

function rows(name: string, value: Cost, floor: Cost): BenchRow[] {
  const isMet = value.buffers <= GROWTH_MAX * floor.buffers;
  return [
    {
      name: `${name}, against ${FEW}: buffers`,
      unit: '',
      value: value.buffers,
      floor: floor.buffers,
      target: { text: `flat: ${GROWTH_MAX} times`, isMet },
    },
    { name: `${name}, against ${FEW}: time`, unit: 'ms', value: value.ms, floor: floor.ms, target: null },
  ];
}

async function measure(
  serverUrl: string,
  events: number,
  domains: number,
): Promise<{ version: number; lanes: Cost; jobs: Cost }> {
  const database = await freshDatabase(serverUrl);
  const client = new pg.Client({ connectionString: database.url });
  try {
    await migrated(database.url);
    // Composes the service before the fill, because the service would refuse to start with the backlog's unencrypted secrets.
    const { context, close } = await composeService(benchConfig(database.url), BENCH_LOG);
    await client.connect();
    await fillBacklog(client, events);
    await scheduleDomains(client, domains);
    await client.query('vacuum analyze');
    const lanes = await seenStatements(() => undone(context, claimLanes));
    const jobs = await seenStatements(() => undone(context, claimDueJobs));
    await close();
    const { rows } = await client.query('show server_version_num');
    const version = Math.floor(Number(rows[0].server_version_num) / 10_000);
    return { version, lanes: await cost(client, lanes), jobs: await cost(client, jobs) };
  } finally {
    await client.end();
    await database.drop();
  }
}

async function claimLanes(context: Context): Promise<number> {
  const room = {
    appsMax: LANES,
    lanesMax: LANES,
    afterAppId: '',
    fullAccounts: [],
    shareOut: () => () => 20,
  };
  return (await claimDueLanes(context, room)).length - LANES;
}

async function claimDueJobs({ store, clock, ids }: Context): Promise<number> {
  const now = clock.now();
  const lease = { lease_until: now + 60_000, makeLeaseId: () => ids('lea') };
  return (await claimJobs(store, { now, ...lease, limit: JOBS, kinds: JOB_KINDS })).length - JOBS;
}

/** Runs a claim in a transaction that is rolled back, so that the same rows can be claimed again. */
async function undone(context: Context, claim: (context: Context) => Promise<number>): Promise<void> {
  const undo = new Error('undone');
  const work = inTransaction(context.store, async (store) => {
    const lacking = await claim({ ...context, store });
    throw lacking === 0 ? undo : new Error(`${-lacking} too few were claimed`);
  });
  await work.catch((error: unknown) => {
    if (error !== undo) throw error;
  });
}

/** Runs the claim's statements repeatedly, and adds up the cost that Postgres reports for each. */
async function cost(
  client: pg.Client,
  statements: Awaited<ReturnType<typeof seenStatements>>,
): Promise<Cost> {
  const costs: Cost[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const sum = { buffers: 0, ms: 0 };
    await client.query('begin');
    for (const { text, values } of statements) {
      if (/^(begin|rollback|set) ?/.test(text)) continue;
      const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, values);
      const [{ Plan: plan, ...times }] = rows[0]['QUERY PLAN'];
      sum.buffers += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      sum.ms += times['Planning Time'] + times['Execution Time'];
    }
    await client.query('rollback');
    costs.push(sum);
  }
  return { buffers: median(costs.map(({ buffers }) => buffers)), ms: median(costs.map(({ ms }) => ms)) };
}
