import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';

/** A Postgres of the bench's own, which ends with it. */
export interface ThrowawayPostgres {
  url: string;
  stop(): Promise<void>;
}

/** @param settings such as `fsync=on`: without it nothing waits for a disk, which no service would dare. */
export async function startPostgres(settings: readonly string[] = []): Promise<ThrowawayPostgres> {
  const program = path.join(import.meta.dirname, '../fixtures/postgres-child.ts');
  // A group of its own: Ctrl-C ends the bench, and Postgres ends when its standard input does.
  const child = spawn(process.execPath, [program, ...settings], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = once(child, 'exit');
  const failed = ended.then(() => {
    throw new Error('Postgres did not start');
  });
  failed.catch(() => undefined); // It ends in the end, and then nobody waits for its start.
  const [url] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), failed]);
  return {
    url,
    async stop() {
      child.stdin.end();
      await ended;
    },
  };
}

/** A database of a measurement's own. */
export async function freshDatabase(server_url: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  const url = new URL(server_url);
  url.pathname = `/${name}`;
  await execute(server_url, `create database ${name} template template0`);
  return { url: url.href, drop: () => execute(server_url, `drop database ${name} with (force)`) };
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
