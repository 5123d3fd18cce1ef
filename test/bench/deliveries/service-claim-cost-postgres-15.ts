import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { ThrowawayPostgres } from '../throwaway-postgres.ts';

const run = promisify(execFile);

/** Folders in which Debian's package and Homebrew install the programs of Postgres 15. */
const FOLDERS = ['/usr/lib/postgresql/15/bin', '/opt/homebrew/opt/postgresql@15/bin'];

export function hasPostgres15(): boolean {
  return findPrograms() !== undefined;
}

/** Starts a throwaway server of the oldest Postgres version that the service supports. Returns null if it is not installed. */
export async function startPostgres15(settings: readonly string[]): Promise<ThrowawayPostgres | null> {
  const programs = findPrograms();
  if (programs === undefined) return null;
  const data = mkdtempSync(path.join(os.tmpdir(), 'nameplate-postgres-15-'));
  // Postgres refuses to run as root, so root starts it as another user.
  const user = process.getuid?.() === 0 ? await postgresUser() : null;
  if (user !== null) chownSync(data, user.uid, user.gid);
  const asUser = { ...user, cwd: '/' };
  const made = ['-D', data, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-sync'];
  await run(path.join(programs, 'initdb'), made, asUser);
  const port = await freePort();
  const all = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', ...settings];
  // The server runs in the process group of the bench, so that Ctrl-C stops both.
  const child = spawn(
    path.join(programs, 'postgres'),
    ['-D', data, '-p', String(port), ...all.flatMap((setting) => ['-c', setting])],
    { ...asUser, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = once(child, 'exit');
  const kill = () => child.kill('SIGQUIT');
  process.once('exit', kill);
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line);
    if (line.includes('ready to accept connections')) break;
  }
  if (child.exitCode !== null) throw new Error(`Postgres 15 did not start: ${said.join('\n')}`);
  child.stderr.resume();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      process.off('exit', kill);
      kill();
      await ended;
      rmSync(data, { recursive: true });
    },
  };
}

function findPrograms(): string | undefined {
  return FOLDERS.find((folder) => existsSync(path.join(folder, 'postgres')));
}

async function postgresUser(): Promise<{ uid: number; gid: number }> {
  const id = async (of: '-u' | '-g') => Number((await run('id', [of, 'postgres'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
