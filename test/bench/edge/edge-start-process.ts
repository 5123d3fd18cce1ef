import { writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { visit } from './visit.ts';

/**
 * A program that starts a whole node with the role `edge`, visits HOSTNAME, and then runs until it gets SIGTERM. With `FLOOR=file`, it only
 * opens the file of the replica and reads one value. With `FLOOR=driver`, only the driver reads all values, and nothing stores them. Prints
 * one JSON document, `EdgeStart`.
 */
export interface EdgeStart {
  port: number;
  /** Milliseconds from the start of the process to the first response. */
  ms: number;
  /** Milliseconds from the time at which the modules were loaded. */
  loaded_ms: number;
  /** CPU time of the process from then on. It depends less on other load of the machine. */
  cpu_ms: number;
}

const { DATABASE_URL = '', FOLDER = '', HOSTNAME = '', FLOOR = '' } = process.env;

const work = { file: readFile, driver: readByDriver }[FLOOR] ?? startEdgeNode;
const { port, loadedAt, cpuAt } = await work();
const { user, system } = process.cpuUsage(cpuAt);
const document: EdgeStart = {
  port,
  ms: performance.now(),
  loaded_ms: performance.now() - loadedAt,
  cpu_ms: (user + system) / 1000,
};
writeSync(1, `${JSON.stringify(document)}\n`);
if (port === 0) process.exit();
process.once('SIGTERM', () => process.exit());

interface Loaded {
  loadedAt: number;
  cpuAt: NodeJS.CpuUsage;
}

interface Started extends Loaded {
  port: number;
}

function loaded(): Loaded {
  return { loadedAt: performance.now(), cpuAt: process.cpuUsage() };
}

async function startEdgeNode(): Promise<Started> {
  // Lazy: the floors must not load these modules.
  const { startNode } = await import('../../../service/node.ts');
  const { edgeConfig, QUIET } = await import('./edge-config.ts');
  const at = loaded();
  const config = edgeConfig({ databaseUrl: DATABASE_URL, folder: FOLDER });
  const node = await startNode(config, QUIET);
  const edgePort = node.addresses.edge?.port ?? 0;
  await visit(edgePort, HOSTNAME);
  return { port: edgePort, ...at };
}

async function readFile(): Promise<Started> {
  const at = loaded();
  const database = new DatabaseSync(`${FOLDER}/replica.sqlite`);
  const found = database
    .prepare('select value from names join stored on stored.id = names.id where key = ?')
    .get(`host.${HOSTNAME}`);
  if (found === undefined) throw new Error('the replica does not have the hostname');
  return { port: 0, ...at };
}

async function readByDriver(): Promise<Started> {
  const { default: pg } = await import('pg');
  const at = loaded();
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  for (let after = ''; ; ) {
    const { rows } = await client.query({
      name: 'page',
      text: 'select key, epoch, number, value from edge_values where key > $1 order by key limit 2000',
      values: [after],
      rowMode: 'array',
    });
    if (rows.length === 0) return { port: 0, ...at };
    after = rows.at(-1)?.[0];
  }
}
