import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

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
