import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startNode } from '../../../service/node.ts';
import { createClient } from '../../../shared/client/client.ts';
import { DAY_MS } from '../../../shared/core/instant.ts';
import { openAccount } from '../../../shared/operations/operator/accounts.ts';
import { migratedDatabase } from '../../service/database/migrated-database.ts';
import { testConfig } from '../../service/settings/test-config.ts';
import { startBin } from '../bin-process.ts';
import { emptyFolder, keyFor } from '../run-cli.ts';

const QUIET = { info: () => undefined, warn: () => undefined, error: console.error };

export interface ImportRun {
  /** The hostnames in the file to import. */
  hostnames: string[];
  /** The hostnames that the API lists after the import, in any order. */
  listed: string[];
  /** The domain ids in the result file, by hostname. */
  recorded: Map<string, string>;
  /** The domain ids in the API, by hostname. */
  ids: Map<string, string>;
  kills: number;
  /** Number of domains created per second, not counting the time between imports. */
  perSecond: number;
}

/**
 * Imports hostnames with the command line into a node on Postgres. Kills the command `kills` times, at equal distances in the result file.
 * Then lets the command finish.
 */
export async function importUnderKills({
  count,
  kills,
}: {
  count: number;
  kills: number;
}): Promise<ImportRun> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await migratedDatabase());
  const node = await startNode(testConfig(database.url, { NAMEPLATE_ROLES: 'api' }), QUIET);
  stack.defer(() => node.stop());
  const baseUrl = `http://127.0.0.1:${node.addresses.api?.port}`;
  const { context } = node.composition;
  const terms = {
    plan: 'enterprise',
    trial_ends_at: null,
    card_on_file: true,
    created_at: context.clock.now() - 30 * DAY_MS,
  } as const;
  const { live_key: key } = await openAccount(context, 'test', { name: 'Platform', terms });
  if (key === null) throw new Error('the account got no live key');

  const cwd = emptyFolder();
  const hostnames = Array.from(
    { length: count },
    (_, index) => `h${index}.customer${index % 100}.example.com`,
  );
  const rows = hostnames.map((hostname, index) => `${hostname},${index}`);
  writeFileSync(path.join(cwd, 'hosts.csv'), `hostname,metadata.customer\n${rows.join('\n')}\n`);
  const resultFile = path.join(cwd, 'hosts.csv.result.jsonl');

  const startedAt = performance.now();
  let killed = 0;
  for (;;) {
    const child = startBin(['domains', 'import', 'hosts.csv', '--json'], keyFor(baseUrl, key), cwd);
    const killAt = killed < kills ? Math.floor((count * (killed + 1)) / (kills + 1)) : null;
    if (killAt !== null) await killAfter(child, resultFile, killAt);
    const exit = await child.ended;
    if (exit === 'SIGKILL') {
      killed++;
      continue;
    }
    if (exit !== 0) throw new Error(`the import ended with ${exit}: ${child.stderr()}`);
    break;
  }
  const seconds = (performance.now() - startedAt) / 1000;

  const client = createClient({ baseUrl, apiKey: key });
  const found: { id: string; hostname: string }[] = [];
  for await (const { id, hostname } of client.domains.all({ limit: 100 })) found.push({ id, hostname });
  return {
    hostnames,
    listed: found.map(({ hostname }) => hostname),
    recorded: readResult(resultFile),
    ids: new Map(found.map(({ id, hostname }) => [hostname, id])),
    kills: killed,
    perSecond: count / seconds,
  };
}

/** Kills a process once a file has this number of lines. Does nothing if the process ends before. */
async function killAfter({ child }: ReturnType<typeof startBin>, file: string, lines: number): Promise<void> {
  const exited = once(child, 'exit').then(() => true);
  while (countLines(file) < lines) {
    const pause = new Promise<false>((resolve) => setTimeout(resolve, 10, false));
    if (await Promise.race([exited, pause])) return;
  }
  child.kill('SIGKILL');
}

function countLines(file: string): number {
  try {
    return readFileSync(file, 'utf8').split('\n').length;
  } catch {
    return 0;
  }
}

function readResult(file: string): Map<string, string> {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1);
  return new Map(lines.map((line) => JSON.parse(line)).map(({ hostname, id }) => [hostname, id]));
}
