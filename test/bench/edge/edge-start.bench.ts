import path from 'node:path';
import pg from 'pg';
import { composeService } from '../../../service/compose.ts';
import { createAccount } from '../../../shared/operations/accounts/create-account.ts';
import { BENCH_LOG, benchConfig, migrated } from '../deliveries/service-deliverer.ts';
import { startProcess } from '../measured-process.ts';
import type { BenchRow } from '../report.ts';
import { freshDatabase, startPostgres } from '../throwaway-postgres.ts';
import type { EdgeStart } from './edge-start-process.ts';

const APPS = 100;
const DAY_MS = 86_400_000;

/** Measures how long an edge takes to read its routes before it listens, and how much memory they need. `--full` uses 1 000 000 routes. */
export async function edgeStart(): Promise<BenchRow[]> {
  const full = process.argv.includes('--full');
  const many = full ? 1_000_000 : 100_000;
  if (!full) console.error(`edge-start: ${many} routes; --full has 1 000 000`);
  const postgres = await startPostgres(['shared_buffers=1GB']);
  try {
    const empty = await measure(postgres.url, 0);
    const known = await measure(postgres.url, many);
    const name = `edge that starts with ${many} routes`;
    return [
      {
        name: `${name}: time, against the driver's for the same rows`,
        unit: 'ms',
        value: known.edge.ms,
        floor: known.driver.ms,
        target: null,
      },
      ...(['peak_mib', 'kept_mib'] as const).map((of) => ({
        name: `${name}: ${of === 'peak_mib' ? 'resident memory' : 'after a collection'}, against none`,
        unit: 'MiB',
        value: known.edge[of],
        floor: empty.edge[of],
        target: null,
      })),
    ];
  } finally {
    await postgres.stop();
  }
}

async function measure(serverUrl: string, domains: number): Promise<{ edge: EdgeStart; driver: EdgeStart }> {
  const database = await freshDatabase(serverUrl);
  try {
    await fill(database.url, domains);
    return { driver: await run(database.url, 'floor'), edge: await run(database.url, 'edge') };
  } finally {
    await database.drop();
  }
}

async function run(url: string, as: string): Promise<EdgeStart> {
  const program = path.join(import.meta.dirname, 'edge-start-process.ts');
  const child = startProcess(['--expose-gc', program, as], { DATABASE_URL: url });
  try {
    return (await child.document()) as EdgeStart;
  } finally {
    await child.stop();
  }
}

/** Adds active domains of a hundred apps, half of them for one app. */
async function fill(url: string, domains: number): Promise<void> {
  await migrated(url);
  const { context, close } = await composeService(benchConfig(url), BENCH_LOG);
  for (let n = 0; n < APPS; n++)
    await createAccount(context, { name: `bench ${n}`, terms: { plan: 'scale' } });
  await close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const now = Date.now();
  const certificate = `json_build_object('issuer', 'bench', 'not_before', ${now - DAY_MS}, 'not_after', ${now + 30 * DAY_MS} + d, 'renews_at', ${now + DAY_MS})`;
  await client.query(`update apps set origin_url = 'https://origin.' || target_label || '.example.net'`);
  await client.query(`
    insert into domains (id, app_id, mode, hostname, reversed_hostname, is_apex, status, status_since, apex_redirect, connect_token,
      txt_value, certificate, created_at, updated_at, window_opened_at, event_seq)
    select 'dom_' || lpad(d::text, 26, '0'), ids[1 + case when d % 2 = 0 then 0 else d % ${APPS} end], 'live',
      'careers.customer-' || d || '.example.com', 'com.example.customer-' || d || '.careers', 0, 'active', ${now}, 'none', 'token ' || d,
      'txt ' || d, ${certificate}, ${now}, ${now}, ${now}, 3
    from generate_series(1, ${domains}) d, (select array_agg(id order by id) as ids from apps) apps`);
  await client.query('insert into routes (hostname, domain_id) select hostname, id from domains');
  await client.query('vacuum analyze');
  await client.end();
}
