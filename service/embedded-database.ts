import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import path from 'node:path';
import { CommandError } from './command-error.ts';
import { findPostgresPrograms, type PostgresPrograms } from './postgres-programs.ts';

/** A Postgres in a local folder, for a fresh machine without one. */
export interface EmbeddedDatabase {
  url: string;
  /** Ends the server, where this process is the one to do that. */
  close(): Promise<void>;
}

/** How to reach the server, the same from start to start, and which process ends it. */
interface Access {
  port: number;
  password: string;
  keeper_pid: number | null;
}

const DATABASE = 'postgres';
const START_SECONDS_MAX = 60;

/** Whether this folder has a database already. */
export function hasEmbeddedDatabase(data_dir: string): boolean {
  return existsSync(path.resolve(data_dir, 'postgres', 'PG_VERSION'));
}

/**
 * Opens the Postgres of a folder: the one that runs there already, else one that this process starts. Commands of the operator and
 * the node find the same one. Whoever starts it ends it; when that process is gone, the next one to open it does.
 * @throws CommandError where it cannot be started.
 */
export async function openEmbeddedDatabase(data_dir: string): Promise<EmbeddedDatabase> {
  const folder = path.resolve(data_dir, 'postgres');
  const access_file = path.resolve(data_dir, 'postgres.json');
  const programs = await findPostgresPrograms();
  // Its user must get through this folder; what else is in here is closed to it by itself.
  const mode = programs.owner === null ? 0o700 : 0o711;
  mkdirSync(data_dir, { recursive: true, mode });
  chmodSync(data_dir, mode);
  const access = await readAccess(access_file);
  const running = existsSync(path.join(folder, 'postmaster.pid')) && (await answers(access.port));
  if (running && access.keeper_pid !== null && isAlive(access.keeper_pid)) {
    return { url: urlOf(access), close: async () => undefined };
  }
  if (!running && (await answers(access.port))) access.port = await freePort();
  writeAccess(access_file, { ...access, keeper_pid: process.pid });
  if (!running) await startServer(programs, data_dir, folder, access);
  return {
    url: urlOf(access),
    async close() {
      await programs.run('pg_ctl', ['stop', '--wait', '--mode=fast', `--pgdata=${folder}`]);
      writeAccess(access_file, { ...access, keeper_pid: null });
    },
  };
}

async function startServer(
  programs: PostgresPrograms,
  data_dir: string,
  folder: string,
  { port, password }: Access,
): Promise<void> {
  try {
    if (!hasEmbeddedDatabase(data_dir)) await initialise(programs, folder, password);
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`;
    await programs.run('pg_ctl', [
      'start',
      '--wait',
      `--timeout=${START_SECONDS_MAX}`,
      `--pgdata=${folder}`,
      `--log=${path.join(folder, 'server.log')}`,
      `--options=${options}`,
    ]);
  } catch (cause) {
    throw new CommandError(
      'database_unavailable',
      `The embedded Postgres did not start: ${cause instanceof Error ? cause.message : cause}`,
      `Look into ${path.join(folder, 'server.log')}, choose another NAMEPLATE_DATA_DIR, or set DATABASE_URL.`,
      cause,
    );
  }
}

async function initialise({ run, owner }: PostgresPrograms, folder: string, password: string): Promise<void> {
  const password_file = `${folder}.password`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(password_file, `${password}\n`, { mode: 0o600 });
  try {
    if (owner !== null) for (const file of [folder, password_file]) chownSync(file, owner.uid, owner.gid);
    await run('initdb', [
      `--pgdata=${folder}`,
      '--username=postgres',
      '--auth=scram-sha-256',
      `--pwfile=${password_file}`,
      '--encoding=UTF8',
      '--locale=C',
    ]);
  } finally {
    rmSync(password_file, { force: true });
  }
}

async function readAccess(file: string): Promise<Access> {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Access;
  return { port: await freePort(), password: randomBytes(24).toString('base64url'), keeper_pid: null };
}

function writeAccess(file: string, access: Access): void {
  writeFileSync(file, `${JSON.stringify(access)}\n`, { mode: 0o600 });
}

function urlOf({ port, password }: Access): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/${DATABASE}`;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is there, and another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).once('error', () => resolve(false));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
