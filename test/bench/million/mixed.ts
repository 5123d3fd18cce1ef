import { startPostgres15 } from '../deliveries/service-claim-cost-postgres-15.ts';
import type { BenchRow } from '../report.ts';
import type { Cost } from './meter.ts';
import { createMixedLoad, LARGE_APP_URL, type Times, type Work } from './mixed-load.ts';
import { startAuthority } from './orders.ts';
import { type MillionWorld, measureFilled, SETTINGS } from './world.ts';

const DOMAINS = Number(process.env['MILLION_DOMAINS'] ?? 1_000_000);
/** The duration of the load. In its second half, there is a backlog of the large app. */
const SECONDS = Number(process.env['MIXED_SECONDS'] ?? 900);
const STATEMENTS = 10;
const TABLES = 12;
/** With a backlog of another app, the 99th percentile of times may be at most this multiple of the 99th percentile without a backlog. */
const SLOWER_MAX = 1.3;
const COMPARED: readonly Work[] = ['check', 'webhook', 'order'];

/**
 * Runs a node over a million domains under a mixed load, with autovacuum and checkpoints as in a deployment. Prints the time that each kind of
 * work takes, the slowest statements, the log and the sizes of tables.
 */
export async function millionMixed(): Promise<BenchRow[]> {
  const server = await startPostgres15(SETTINGS.filter((setting) => setting !== 'autovacuum=off'));
  if (server === null) {
    console.error('SKIPPED million-mixed: Postgres 15 is not installed (Debian: postgresql-15)');
    return [];
  }
  const rows: BenchRow[] = [];
  try {
    await measureFilled(
      server.url,
      { domains: DOMAINS, backlog: 0 },
      {
        async mixed(world) {
          rows.push(...(await runMixed(world)));
          return {};
        },
      },
    );
  } finally {
    await server.stop();
  }
  return rows;
}

async function runMixed(world: MillionWorld): Promise<BenchRow[]> {
  const { client, fill } = world;
  await client.query('update apps set webhook_url = $1 where id = $2', [LARGE_APP_URL, fill.large.app_id]);
  await using authority = await startAuthority(world.context);
  const load = createMixedLoad(world, authority.context);
  load.runner.start();
  try {
    const run = async (title: string): Promise<Times> => {
      let times: Times | null = null;
      const cost = await world.meter.measure(async () => {
        times = await load.run(SECONDS / 2);
      }, SECONDS / 2);
      if (times === null) throw new Error('the load did not run');
      printRun(title, cost, times);
      await printStatements(world);
      return times;
    };
    const alone = await run('alone');
    await addBacklog(world);
    const beside = await run('beside a backlog of another app');
    await printTables(world);
    return COMPARED.map((work) => {
      const [value, floor] = [percentile(beside[work], 0.99), percentile(alone[work], 0.99)];
      const target = { text: `${SLOWER_MAX} times`, isMet: value <= SLOWER_MAX * floor };
      return {
        name: `${work} beside a backlog of another app, 99th percentile`,
        unit: 'ms',
        value,
        floor,
        target,
      };
    });
  } finally {
    await load.runner.stop();
  }
}

/** Makes all checks of the large app due, and gives each of its domains a pending event. */
async function addBacklog({ client, fill }: MillionWorld): Promise<void> {
  const app = `app_id = '${fill.large.app_id}'`;
  await client.query(`update jobs set due_at = ${fill.now} where kind = 'check_dns' and ${app}`);
  await client.query(`
    insert into events (id, domain_id, app_id, mode, seq, type, hostname, status, created_at, body, delivery_status, attempts, tries, next_attempt_at)
    select 'evt_backlog_' || id, id, app_id, mode, 1000, 'domain.active', hostname, status, ${fill.now}, repeat('x', 1500), 'pending', 0, 0, ${fill.now}
    from domains where ${app} and status <> 'deleted'`);
  await client.query(`update lanes set due_at = ${fill.now} where ${app}`);
}

function printRun(title: string, cost: Cost, times: Times): void {
  console.log(`\nA mixed load over ${DOMAINS} domains, ${title}, each second:`);
  console.log(
    `${Math.round(cost.statements)} statements, ${Math.round(cost.blocks)} blocks (${Math.round(cost.blocksRead)} read), ${(cost.walBytes / 1e6).toFixed(2)} MB of WAL`,
  );
  console.log(`${Math.round(cost.postgresMs)} ms of CPU in Postgres, ${Math.round(cost.nodeMs)} ms in Node`);
  for (const [work, of] of Object.entries(times)) {
    const [half, most] = [0.5, 0.99].map((share) => percentile(of, share).toFixed(0));
    console.log(`${work.padEnd(8)} ${of.length} times, half within ${half} ms, 99 of 100 within ${most} ms`);
  }
}

async function printStatements({ client }: MillionWorld): Promise<void> {
  const { rows } = await client.query(
    `select calls, total_exec_time as ms, shared_blks_hit + shared_blks_read as blocks, regexp_replace(query, '\\s+', ' ', 'g') as query
     from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database()) order by total_exec_time desc limit $1`,
    [STATEMENTS],
  );
  console.log('The slowest statements: calls, ms in all, ms each, blocks each');
  for (const { calls, ms, blocks, query } of rows) {
    const each = [Number(calls), ms, ms / calls, blocks / calls].map((of) =>
      of.toFixed(of < 100 ? 2 : 0).padStart(10),
    );
    console.log(`${each.join('')}  ${query.slice(0, 120)}`);
  }
}

async function printTables({ client }: MillionWorld): Promise<void> {
  const { rows } = await client.query(
    `select relname, n_live_tup as live, n_dead_tup as dead, pg_table_size(relid) / 1e6 as mb, pg_indexes_size(relid) / 1e6 as indexes
     from pg_stat_user_tables order by pg_total_relation_size(relid) desc limit $1`,
    [TABLES],
  );
  console.log('\nThe largest tables: rows, dead rows, MB, MB of indexes');
  for (const { relname, live, dead, mb, indexes } of rows)
    console.log(
      [relname.padEnd(22), ...[live, dead, mb, indexes].map((of) => Number(of).toFixed(0).padStart(10))].join(
        '',
      ),
    );
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
