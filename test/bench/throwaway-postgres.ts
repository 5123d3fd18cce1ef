import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';

/** A Postgres server for the bench, which stops when the bench ends. */
export interface ThrowawayPostgres {
  url: string;
  stop(): Promise<void>;
}

/** Starts Postgres. @param settings server settings. Without `fsync=on`, no commit waits for the disk, unlike in production. */
export async function startPostgres(settings: readonly string[] = []): Promise<ThrowawayPostgres> {
  const program = path.join(import.meta.dirname, '../fixtures/postgres/postgres-child.ts');
  // The program gets its own process group, so that Ctrl-C reaches only the bench. It stops Postgres when its standard input ends.
  const child = spawn(process.execPath, [program, ...settings], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(child, 'exit');
  const failed = ended.then(() => {
    throw new Error('Postgres did not start');
  });
  failed.catch(() => undefined); // The promise is rejected by the final exit, when no code waits for it any more.
  const [url] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), failed]);
  return {
    url,
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}

/** Creates a database for one measurement. */
export async function freshDatabase(serverUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await execute(serverUrl, `create database ${name} template template0`);
  return { url: url.href, drop: () => execute(serverUrl, `drop database ${name} with (force)`) };
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
