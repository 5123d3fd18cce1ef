import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { replicaFile } from '../../../service/edge/replica/replica-file.ts';
import { startProcess } from '../measured-process.ts';
import type { BenchRow } from '../report.ts';
import { median } from '../rounds.ts';
import { freshDatabase, startPostgres } from '../throwaway-postgres.ts';
import type { EdgeStart } from './edge-start-process.ts';
import { fillEdgeValues, startTextOrigin } from './filled-replica.ts';
import { createSampleValues, sampleHostname } from './sample-values.ts';

const COLD_STARTS = 5;
/** The goals for a million hostnames. */
const COLD_MS_MAX = 1_000;
const COPY_MS_MAX = 120_000;

/**
 * Measures the time from the start of an edge node to the response to its first visitor. Without a replica, the node first copies all
 * values from Postgres. Each hostname has a certificate. `--full` uses 1 000 000 hostnames.
 */
export async function edgeStart(): Promise<BenchRow[]> {
  const full = process.argv.includes('--full');
  const many = full ? 1_000_000 : 100_000;
  if (!full) console.error(`edge-start: ${many} hostnames; --full has 1 000 000`);
  const origin = await startTextOrigin('hello');
  const postgres = await startPostgres(['shared_buffers=1GB', 'max_wal_size=8GB']);
  const folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-bench-'));
  try {
    const database = await freshDatabase(postgres.url);
    const startedAt = performance.now();
    await fillEdgeValues(database.url, createSampleValues(origin.url), many);
    console.error(`edge-start: filled in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
    const env = {
      DATABASE_URL: database.url,
      FOLDER: folder,
      HOSTNAME: sampleHostname(Math.floor(many / 2)),
    };
    const driver = await run({ ...env, FLOOR: 'driver' });
    const copy = await run(env);
    const mib = statSync(replicaFile(folder)).size / 1024 / 1024;
    const [cold, files]: [EdgeStart[], EdgeStart[]] = [[], []];
    for (let n = 0; n < COLD_STARTS; n++) {
      files.push(await run({ ...env, FLOOR: 'file' }));
      cold.push(await run(env));
    }
    const name = `edge with ${many} hostnames`;
    const row = (title: string, value: number, floor: number, max: number | null): BenchRow => ({
      name: `${name}, ${title}`,
      unit: 'ms',
      value,
      floor,
      target: max === null ? null : { text: `${max} ms at most`, isMet: value <= max },
    });
    const middle = (starts: readonly EdgeStart[], of: 'ms' | 'loaded_ms' | 'cpu_ms') =>
      median(starts.map((each) => each[of]));
    return [
      row(
        "first copy from loaded modules on, against the driver's for the same rows",
        copy.loaded_ms,
        driver.loaded_ms,
        COPY_MS_MAX,
      ),
      row('first copy: CPU time of the process', copy.cpu_ms, driver.cpu_ms, null),
      row(
        `start with a replica of ${Math.round(mib)} MiB from loaded modules on, against node that opens the file`,
        middle(cold, 'loaded_ms'),
        middle(files, 'ms'),
        COLD_MS_MAX,
      ),
      row(
        'start with a replica: CPU time of the process',
        middle(cold, 'cpu_ms'),
        middle(files, 'cpu_ms'),
        null,
      ),
      row(
        'start with a replica, with the time to load modules from their sources',
        middle(cold, 'ms'),
        middle(files, 'ms'),
        null,
      ),
    ];
  } finally {
    await postgres.stop();
    origin.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const LOAD_TSX = import.meta.resolve('../../fixtures/load-tsx.ts');

async function run(env: NodeJS.ProcessEnv): Promise<EdgeStart> {
  const program = path.join(import.meta.dirname, 'edge-start-process.ts');
  const child = startProcess(['--import', LOAD_TSX, program], env);
  try {
    return (await child.document()) as EdgeStart;
  } finally {
    await child.stop();
  }
}
