import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { ownServer } from '../../shared/adapters/owned-server.ts';
import { CommandError } from '../commands/operator/command-error.ts';
import { allowPassage, findClosedParent } from '../settings/parent-folders.ts';
import { findPostgresPrograms, type PostgresPrograms } from './postgres-programs.ts';

/** A Postgres server in a local folder, for a machine without a database. */
export interface EmbeddedDatabase {
  url: string;
  /** Stops the server, unless another process still uses it. Close this process's connections first. */
  close(): Promise<void>;
}

/** The port and the password of the server, which stay the same between starts. */
interface Access {
  port: number;
  password: string;
}

const DATABASE = 'postgres';
const START_SECONDS_MAX = 60;

/** Returns true if this folder already has a database. */
export function hasEmbeddedDatabase(dataDir: string): boolean {
  return existsSync(path.resolve(dataDir, 'postgres', 'PG_VERSION'));
}

/**
 * Connects to the Postgres server in a folder, and starts it if it is not running. A node and operator commands share one server. The last
 * process that closes its connection stops the server.
 * @throws CommandError if the server cannot be started.
 */
export async function openEmbeddedDatabase(dataDir: string): Promise<EmbeddedDatabase> {
  const folder = path.resolve(dataDir, 'postgres');
  const accessFile = path.resolve(dataDir, 'postgres.json');
  const programs = await findPostgresPrograms();
  const mode = programs.owner === null ? 0o700 : 0o711;
  mkdirSync(dataDir, { recursive: true, mode });
  chmodSync(dataDir, mode);
  if (programs.owner !== null) allowPassage(dataDir);
  const access = await readAccess(accessFile);
  const isTaken = await answers(access.port);
  const isRunning = isTaken && existsSync(path.join(folder, 'postmaster.pid'));
  if (!isRunning) {
    if (isTaken) access.port = await freePort();
    writeFileSync(accessFile, `${JSON.stringify(access)}\n`, { mode: 0o600 });
    await startServer(programs, dataDir, folder, access);
  }
  const url = urlOf(access);
  return {
    url,
    async close() {
      if (!(await answers(access.port)) || (await isUsedByOthers(url))) return;
      await programs.run('pg_ctl', ['stop', '--wait', '--mode=fast', `--pgdata=${folder}`]);
    },
  };
}

/** Returns true if another process has a session. Ignores sessions with this process's application name, which may still be closing. */
async function isUsedByOthers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      "select 1 from pg_stat_activity where backend_type = 'client backend' and application_name <> $1",
      [OWN_NAME],
    );
    return (rowCount ?? 0) > 0;
  } finally {
    await client.end();
  }
}

const OWN_NAME = `nameplate-${process.pid}`;

async function startServer(
  programs: PostgresPrograms,
  dataDir: string,
  folder: string,
  { port, password }: Access,
): Promise<void> {
  try {
    if (!hasEmbeddedDatabase(dataDir)) await initialise(programs, folder, password);
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
    const closed = programs.owner && findClosedParent([programs.folder, dataDir], programs.owner);
    if (closed !== null) {
      throw new CommandError(
        'database_unavailable',
        `The embedded Postgres did not start: root runs it as the user with id ${programs.owner?.uid}, who has no access to ${closed}.`,
        `Run chmod o+x ${closed}, use another folder, or set DATABASE_URL.`,
        cause,
      );
    }
    throw new CommandError(
      'database_unavailable',
      `The embedded Postgres did not start: ${cause instanceof Error ? cause.message : cause}`,
      `Read ${path.join(folder, 'server.log')}, choose another NAMEPLATE_DATA_DIR, or set DATABASE_URL.`,
      cause,
    );
  }
}

async function initialise({ run, owner }: PostgresPrograms, folder: string, password: string): Promise<void> {
  const passwordFile = `${folder}.password`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  try {
    if (owner !== null) for (const file of [folder, passwordFile]) chownSync(file, owner.uid, owner.gid);
    await run('initdb', [
      `--pgdata=${folder}`,
      '--username=postgres',
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale=C',
    ]);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

async function readAccess(file: string): Promise<Access> {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Access;
  return { port: await freePort(), password: randomBytes(24).toString('base64url') };
}

function urlOf({ port, password }: Access): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/${DATABASE}?application_name=${OWN_NAME}`;
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
    const server = ownServer(createServer()).once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
