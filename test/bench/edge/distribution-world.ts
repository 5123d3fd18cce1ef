import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { openPostgresNotices } from '../../../service/database/postgres-notices.ts';
import { openBucket } from '../../../service/nats/bucket.ts';
import { connectNats, inboxOf } from '../../../service/nats/connect-nats.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { type NatsCluster, startNatsCluster } from '../../fixtures/nats/nats-cluster.ts';
import { CLI } from '../measured-process.ts';
import { freshDatabase, startPostgres } from '../throwaway-postgres.ts';
import type { FollowerEvent } from './distribution-process.ts';
import { fillEdgeValues } from './filled-replica.ts';
import { createSampleValues, SAMPLE_EDGE_KEYS, type SampleValues, sampleHostname } from './sample-values.ts';

/** The followers of edge machines in one process. */
const PER_PROCESS = 10;
const LOAD_TSX = import.meta.resolve('../../fixtures/load-tsx.ts');
const BUCKET = 'nameplate';
const NO_SECRETS = { user: null, password: null, credentials: null, caRoots: null, domain: null };
const QUIET = { info: () => undefined, warn: () => undefined, error: console.error };

/** A program of the world, which a fault can end or freeze. */
export interface Program {
  child: ChildProcess;
  ended: Promise<unknown>;
}

/** Postgres, three NATS servers, relays, and followers on any number of edge machines. */
export type DistributionWorld = Awaited<ReturnType<typeof openDistributionWorld>>;

export async function openDistributionWorld({
  hostnames,
  samples,
}: {
  hostnames: number;
  samples?: SampleValues;
}) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-distribution-'));
  const postgres = await startPostgres(['shared_buffers=1GB', 'max_wal_size=8GB']);
  const database = await freshDatabase(postgres.url);
  const values = samples ?? createSampleValues('http://127.0.0.1:1');
  await fillEdgeValues(database.url, values, hostnames);
  const cluster: NatsCluster = await startNatsCluster();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const notices = openPostgresNotices({ connectionString: database.url, log: QUIET, onGap: () => undefined });
  const running = new Set<ChildProcess>();
  const numbers = new Map<string, number>();
  /** The time at which each follower served a hostname in another way, by follower and hostname. */
  const seen = new Map<string, number>();
  const ready = new Map<number, number>();
  /** The time at which each follower served a hostname no longer. */
  const gone = new Map<string, number>();

  function run(args: readonly string[], env: NodeJS.ProcessEnv, out: 'pipe' | 'ignore'): Program {
    const child = spawn(process.execPath, args, {
      env: { PATH: process.env.PATH, HOME: folder, ...env },
      stdio: ['pipe', out, 'inherit'],
    });
    running.add(child);
    const ended = once(child, 'exit').finally(() => running.delete(child));
    return { child, ended };
  }

  return {
    folder,
    cluster,
    databaseUrl: database.url,
    seen,
    gone,
    async startRelay(): Promise<Program & { adminUrl: string }> {
      const admin = `127.0.0.1:${await freePort()}`;
      const program = run(
        [CLI, 'service', 'start', '--role', 'relay'],
        {
          DATABASE_URL: database.url,
          NATS_URL: cluster.url,
          NAMEPLATE_EDGE_KEYS: SAMPLE_EDGE_KEYS,
          NAMEPLATE_ADMIN_LISTEN: admin,
          NAMEPLATE_LOG_LEVEL: 'error',
        },
        'ignore',
      );
      return { ...program, adminUrl: `http://${admin}` };
    },
    /** Starts followers in processes. @param folders their replicas' folders; empty ones get a first copy. */
    startFollowers(folders: readonly string[], first = 0): Program[] {
      return Array.from({ length: Math.ceil(folders.length / PER_PROCESS) }, (_, index) => {
        const own = folders.slice(index * PER_PROCESS, (index + 1) * PER_PROCESS);
        for (const each of own) mkdirSync(each, { recursive: true });
        const program = run(
          ['--import', LOAD_TSX, path.join(import.meta.dirname, 'distribution-process.ts')],
          { NATS_URL: cluster.url, FOLDERS: own.join(), FIRST: String(first + index * PER_PROCESS) },
          'pipe',
        );
        createInterface({ input: program.child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
          const { kind, n, hostname, at } = JSON.parse(line) as FollowerEvent;
          if (kind === 'ready') ready.set(n, at);
          else (kind === 'gone' ? gone : seen).set(`${n} ${hostname}`, at);
        });
        return program;
      });
    },
    /** Resolves when these followers have complete replicas. @returns the time of the last one. */
    async untilReady(followers: readonly number[]): Promise<number> {
      while (!followers.every((n) => ready.has(n))) await new Promise((resolve) => setTimeout(resolve, 20));
      return Math.max(...followers.map((n) => ready.get(n) ?? 0));
    },
    forgetReady(followers: readonly number[]): void {
      for (const n of followers) ready.delete(n);
    },
    /**
     * Commits a change of a hostname. @param kind `change` gives it another origin, `delete` removes it.
     * @returns the time of the commit.
     */
    async commit(n: number, kind: 'change' | 'delete' = 'change'): Promise<number> {
      const hostname = sampleHostname(n);
      const number = (numbers.get(hostname) ?? 1) + 1;
      numbers.set(hostname, number);
      const value = values.host(n, { number, origin: `http://127.0.0.1:${1 + (number % 9)}` });
      const isDeleted = kind === 'delete';
      await client.query(
        `insert into edge_values (key, epoch, number, value, deleted_at) values ($1, $2, $3, $4, $5) on conflict (key) do update set
          number = excluded.number, value = excluded.value, deleted_at = excluded.deleted_at, xid = pg_current_xact_id()`,
        [value.key, value.epoch, value.number, isDeleted ? null : value.value, isDeleted ? Date.now() : null],
      );
      const at = performance.timeOrigin + performance.now();
      notices.publish({ kind: 'route', hostname });
      return at;
    },
    /** Opens the bucket beside the programs. The caller closes the connection. */
    async observe() {
      const servers = cluster.url.split(',');
      const options = { ...NO_SECRETS, servers, bucket: BUCKET, replicas: 3, node: 'observer', log: QUIET };
      const nc = await connectNats(options, new AbortController().signal);
      return { nc, bucket: await openBucket(nc, BUCKET, { inboxPrefix: inboxOf('observer'), domain: null }) };
    },
    query: (statement: string) => client.query(statement),
    async close() {
      for (const child of running) child.kill('SIGKILL');
      await client.end();
      await notices.close();
      await cluster.stop();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
