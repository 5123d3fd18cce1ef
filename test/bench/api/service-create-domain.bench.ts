import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startProcess } from '../measured-process.ts';
import { isProfiling, type ProfiledPart, profileRows } from '../profile.ts';
import type { BenchRow } from '../report.ts';
import { interleave, median } from '../rounds.ts';
import { freshDatabase, startPostgres } from '../throwaway-postgres.ts';
import { findPgbench, runPgbench } from './pgbench.ts';
import { asScript } from './pgbench-script.ts';
import type { BenchApi } from './service-api-process.ts';
import { postDomains } from './service-create-domain-client.ts';

const ROUNDS = 4;
const REQUESTS = 3_000;
const CONNECTIONS = 20;
/** Number of connections in a node's pool by default. */
const CLIENTS = 10;
const SHARE_MIN = 0.7;

/** Measures `POST /v1/domains` per second, compared with pgbench, which sends the same statements as the node. */
export async function serviceCreateDomain(): Promise<BenchRow[]> {
  const pgbench = findPgbench();
  if (pgbench === null) {
    console.error('SKIPPED service-create-domain: pgbench is not installed (Debian: postgresql-contrib)');
    return [];
  }
  const folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-bench-'));
  const postgres = await startPostgres(['fsync=on']);
  const database = await freshDatabase(postgres.url);
  const program = path.join(import.meta.dirname, 'service-api-process.ts');
  const profileFile = path.join(folder, 'profile.json');
  const node = startProcess(['--import', import.meta.resolve('../../fixtures/load-tsx.ts'), program], {
    DATABASE_URL: database.url,
    ...(isProfiling && { PROFILE_FILE: profileFile }),
  });
  try {
    const api = (await node.document()) as BenchApi;
    const scripts = api.accounts.map(({ seen }, n) => {
      const file = path.join(folder, `${n}.sql`);
      writeFileSync(file, asScript(seen));
      return file;
    });
    const rates = await interleave<'api' | 'pgbench', number>(ROUNDS, {
      api: () => createDomains(api),
      pgbench: () =>
        runPgbench(pgbench, { url: database.url, scripts, clients: CLIENTS, transactions: REQUESTS }),
    });
    const [value, floor] = [median(rates.api), median(rates.pgbench)];
    const row: BenchRow = {
      name: 'POST /v1/domains a second, Postgres, against pgbench',
      unit: '',
      value,
      floor,
      // There is no target with the profiler, because the profiler slows down only the node.
      target: isProfiling ? null : { text: `${SHARE_MIN} of it`, isMet: value >= SHARE_MIN * floor },
    };
    if (!isProfiling) return [row];
    await node.stop();
    const parts = JSON.parse(readFileSync(profileFile, 'utf8')) as ProfiledPart[];
    return [row, ...profileRows('POST /v1/domains', parts, created)];
  } finally {
    await node.stop();
    await database.drop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

let created = 0;

/** Creates domains for some seconds. @returns creates per second. @throws Error if a response is not 201. */
async function createDomains({ url, accounts }: BenchApi): Promise<number> {
  const startedAt = performance.now();
  let left = REQUESTS;
  await postDomains(url, CONNECTIONS, () => {
    if (left-- <= 0) return null;
    const n = ++created;
    return { key: accounts[n % accounts.length]?.key ?? '', hostname: `careers-${n}.example.com` };
  });
  return (REQUESTS / (performance.now() - startedAt)) * 1000;
}
