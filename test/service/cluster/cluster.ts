import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import pg from 'pg';
import { composeService } from '../../../service/compose.ts';
import { openAccount } from '../../../shared/operations/operator/accounts.ts';
import { startRestartablePostgres } from '../../fixtures/postgres/restartable-postgres.ts';
import { replicaFolder } from '../../fixtures/replica-folder.ts';
import { migrateAt } from '../database/migrated-database.ts';
import { testConfig } from '../settings/test-config.ts';
import type { NodeAddresses } from './cluster-node.ts';

/** Nodes of the hosted service as separate processes on one Postgres. The nodes get no notices from each other. */
export interface Cluster extends AsyncDisposable {
  nodes: readonly ClusterNode[];
  /** The test API key of an app whose events go to the receiver. */
  test_key: string;
  database: pg.Pool;
  restartPostgres(): Promise<void>;
  stopPostgres(): Promise<void>;
  startPostgres(): Promise<void>;
  /** Time of every node's clock. */
  now(): number;
  moveClock(byMs: number): Promise<void>;
}

export interface ClusterNode {
  /** The addresses of the node; null while the node is dead. */
  addresses: NodeAddresses | null;
  /** Number of kills. */
  kills: number;
  /** The end of the node's standard error. A test may clear this text. */
  said: string;
  /** Kills the node with SIGKILL and starts a new node in its place. */
  replace(): Promise<void>;
}

const ENV = {
  NAMEPLATE_ROLES: 'api,worker',
  NAMEPLATE_RATE_PER_SECOND: '100000',
  NAMEPLATE_RATE_BURST: '1000000',
};

export async function startCluster(size: number, webhookUrl: string): Promise<Cluster> {
  await using stack = new AsyncDisposableStack();
  const postgres = stack.use(await startRestartablePostgres());
  const database = new pg.Pool({ connectionString: postgres.url, max: 2 });
  database.on('error', () => undefined); // The restart ends the connection; the next query opens another one.
  stack.defer(() => database.end());
  await migrateAt(postgres.url);
  const testKey = await openApp(postgres.url, webhookUrl);
  const nodes: RunningNode[] = [];
  for (let index = 0; index < size; index++) {
    const env = {
      ...ENV,
      DATABASE_URL: postgres.url,
      DATABASE_LISTEN_URL: await createIsolatedDatabase(postgres.url, index),
    };
    const node = stack.use(new RunningNode(env));
    await node.start();
    nodes.push(node);
  }
  const owned = stack.move();
  let aheadMs = 0;
  return {
    nodes,
    test_key: testKey,
    database,
    restartPostgres: () => postgres.restart(),
    stopPostgres: () => postgres.stop(),
    startPostgres: () => postgres.start(),
    now: () => Date.now() + aheadMs,
    async moveClock(byMs) {
      aheadMs += byMs;
      await Promise.all(nodes.map((node) => node.moveClock(byMs)));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/**
 * Creates a database on which only one node runs LISTEN.
 * @returns the URL of that database. The node can listen there, but gets no notices from other nodes.
 */
export async function createIsolatedDatabase(serverUrl: string, index: number): Promise<string> {
  const url = new URL(serverUrl);
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  url.pathname = `/isolated_${index}`;
  await client.query(`create database isolated_${index}`);
  await client.end();
  return url.href;
}

async function openApp(databaseUrl: string, webhookUrl: string): Promise<string> {
  const { context, close } = await composeService(testConfig(databaseUrl), QUIET);
  const account = await openAccount(context, 'cluster', {
    name: 'Cluster',
    terms: { plan: 'scale' },
    webhook_url: webhookUrl,
  });
  await close();
  return account.test_key;
}

const QUIET = { info: () => undefined, warn: () => undefined, error: console.error };

const SAID_CHARS_MAX = 4_000;

/** A node in its own process. */
export class RunningNode implements ClusterNode {
  addresses: NodeAddresses | null = null;
  kills = 0;
  said = '';
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess | null = null;

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = { NAMEPLATE_EDGE_REPLICA: replicaFolder(), ...env };
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async start(): Promise<void> {
    this.#child = fork(path.join(import.meta.dirname, 'cluster-node.ts'), {
      env: { ...process.env, ...this.#env },
      execArgv: ['--import', path.join(import.meta.dirname, '../../fixtures/load-tsx.ts')],
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    });
    this.said = '';
    this.#child.stderr?.on('data', (data) => {
      this.said = `${this.said}${data}`.slice(-SAID_CHARS_MAX);
    });
    const ended = once(this.#child, 'exit').then(() => {
      throw new Error(`a node ended before it listened: ${this.said}`);
    });
    ended.catch(() => undefined); // The promise is rejected by the final kill, when no test waits for it any more.
    const [addresses] = await Promise.race([once(this.#child, 'message'), ended]);
    this.addresses = addresses as NodeAddresses;
  }

  async replace(): Promise<void> {
    await this.kill();
    await this.start();
  }

  /** Stops the node cleanly, as a supervisor does. */
  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  async kill(): Promise<void> {
    this.kills += 1;
    await this.#end('SIGKILL');
  }

  async #end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    this.addresses = null;
    child.kill(signal);
    await ended;
  }

  async moveClock(byMs: number): Promise<void> {
    if (this.#child === null) return;
    const moved = once(this.#child, 'message');
    this.#child.send(byMs);
    await moved;
  }

  [Symbol.asyncDispose]() {
    return this.kill();
  }
}
