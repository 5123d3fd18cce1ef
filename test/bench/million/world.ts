import pg from 'pg';
import { type Composition, composeService } from '../../../service/compose.ts';
import type { Context } from '../../../shared/operations/context.ts';
import { type ServedApi, serveApi } from '../api/lists-at-scale-api.ts';
import { BENCH_LOG, benchConfig, migrated } from '../deliveries/service-deliverer.ts';
import { freshDatabase } from '../throwaway-postgres.ts';
import { fillDomains } from './fill.ts';
import type { Fill } from './fill-expressions.ts';
import { type Cost, createMeter, type Meter, setFullPageWrites } from './meter.ts';

/** The settings of the Postgres server. */
export const SETTINGS = [
  'shared_preload_libraries=pg_stat_statements',
  'shared_buffers=1GB',
  'maintenance_work_mem=512MB',
  'max_wal_size=1GB',
  'wal_compression=on',
  'checkpoint_timeout=15min',
  // Autovacuum is off, because it would run at a different time in each measurement.
  'autovacuum=off',
];

/** A service on a filled database. */
export interface MillionWorld {
  context: Context;
  composition: Composition;
  served: ServedApi;
  /** A connection for the meter, and for statements between measurements. */
  client: pg.Client;
  meter: Meter;
  fill: Fill;
  /** The number of jobs and of lanes in a backlog, the same for each size of the database. */
  backlog: number;
}

/** The costs that a part of the bench measured, by title. */
export type Costs = Record<string, Cost>;
export type Part = (world: MillionWorld) => Promise<Costs>;

/** Fills a new database with this number of domains, runs the parts on it one after the other, and drops it. */
export async function measureFilled(
  serverUrl: string,
  { domains, backlog }: { domains: number; backlog: number },
  parts: Readonly<Record<string, Part>>,
): Promise<Costs> {
  const database = await freshDatabase(serverUrl);
  const client = new pg.Client({ connectionString: database.url });
  await using stack = new AsyncDisposableStack();
  stack.defer(database.drop);
  await client.connect();
  stack.defer(() => client.end());
  await migrated(database.url);
  // The service starts before the fill, because the fill adds secrets that the service cannot decrypt. With them, it would not start.
  const composition = await composeService(benchConfig(database.url), BENCH_LOG);
  stack.defer(composition.close);
  const { context } = composition;
  const served = await serveApi(context);
  await setFullPageWrites(client, false);
  const startedAt = performance.now();
  const fill = await fillDomains(context, client, served.app, domains);
  const { rows } = await client.query('select pg_database_size(current_database()) / 1e6 as mb');
  const seconds = (performance.now() - startedAt) / 1000;
  console.error(`million: ${domains} domains in ${seconds.toFixed(0)} s, ${Math.round(rows[0].mb)} MB`);
  const world = { context, composition, served, client, meter: await createMeter(client), fill, backlog };
  const costs: Costs = {};
  for (const [name, part] of Object.entries(parts)) {
    try {
      Object.assign(costs, await part(world));
    } catch (error) {
      console.error(`million: ${name} with ${domains} domains could not be measured:`, error);
      process.exitCode = 1;
    }
  }
  return costs;
}
