import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { promisify } from 'node:util';

/** Folders outside the PATH in which Debian installs pgbench. */
const PLACES = [
  '/usr/lib/postgresql/*/bin/pgbench',
  '/usr/local/bin/pgbench',
  '/usr/bin/pgbench',
  '/opt/homebrew/bin/pgbench',
];

/** Returns the path of pgbench; null if it is not installed. */
export function findPgbench(): string | null {
  return PLACES.flatMap((place) => globSync(place)).find((file) => existsSync(file)) ?? null;
}

export interface PgbenchRun {
  url: string;
  /** Script files. Each transaction runs one of them at random. */
  scripts: readonly string[];
  clients: number;
  transactions: number;
}

/** Runs pgbench. @returns transactions per second. @throws Error if a transaction failed. */
export async function runPgbench(program: string, run: PgbenchRun): Promise<number> {
  const { stdout } = await promisify(execFile)(
    program,
    [
      ...['--no-vacuum', '--protocol=extended', `--client=${run.clients}`],
      `--transactions=${Math.ceil(run.transactions / run.clients)}`,
      ...run.scripts.map((file) => `--file=${file}`),
      run.url,
    ],
    { maxBuffer: 1e7 },
  );
  const [, rate] = /tps = ([\d.]+) \(without/.exec(stdout) ?? [];
  const [, failed] = /failed transactions: (\d+)/.exec(stdout) ?? [];
  if (rate === undefined || Number(failed ?? 0) > 0) throw new Error(`pgbench: ${stdout}`);
  return Number(rate);
}
