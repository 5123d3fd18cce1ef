import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../../fixtures/free-port.ts';
import { type Gate, openGate } from './gate.ts';

const run = promisify(execFile);

export const POSTGRES_PACKAGES = {
  packages: ['postgresql-15'],
  programs: ['/usr/lib/postgresql/15/bin/pg_basebackup'],
} as const;

/** A Postgres primary with one synchronous standby. The standby gets the log through a gate, which can fail like a network. */
export interface PostgresPair extends AsyncDisposable {
  primary: PostgresServer;
  standby: PostgresServer;
  replication: Gate;
  /** Stops the primary and makes the standby the new primary. */
  promote(): Promise<void>;
}

export interface PostgresServer {
  url: string;
  port: number;
  /** Restarts the server immediately, which ends its sessions. */
  restart(): Promise<void>;
  query(text: string): Promise<Record<string, unknown>[]>;
}

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'max_connections=150',
];

/** Starts both servers. They end when the result is disposed. */
export async function startPostgresPair(): Promise<PostgresPair> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-faults-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const programs = path.dirname(POSTGRES_PACKAGES.programs[0]);
  // Postgres refuses to run as root, so root starts it as the user `postgres`.
  const user = process.getuid?.() === 0 ? await idsOf('postgres') : null;
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const as = { ...user, cwd: '/' };
  const program = (name: string, ...args: string[]) => run(path.join(programs, name), args, as);
  const [first, second] = [path.join(folder, 'first'), path.join(folder, 'second')];

  async function serve(data: string): Promise<PostgresServer & { stop(): Promise<void> }> {
    const port = await freePort();
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const flags = [...SETTINGS, `port=${port}`].flatMap((setting) => ['-c', setting]);
    const start = () => {
      const child = spawn(path.join(programs, 'postgres'), ['-D', data, ...flags], {
        ...as,
        stdio: 'ignore',
      });
      return { child, ended: once(child, 'exit') };
    };
    let running = start();
    const stop = async () => {
      running.child.kill('SIGINT');
      await running.ended;
    };
    const query = async (text: string) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        return (await client.query(text)).rows;
      } finally {
        await client.end();
      }
    };
    const untilReady = async () => {
      while (!(await query('select 1').then(Boolean, () => false))) {
        if (running.child.exitCode !== null) throw new Error('Postgres ended before it was ready');
        await delay(50);
      }
    };
    stack.defer(stop);
    // Stops the server when this process exits, so that an interrupted test run leaves no server behind.
    process.once('exit', () => running.child.kill('SIGQUIT'));
    await untilReady();
    return {
      url,
      port,
      query,
      stop,
      async restart() {
        await stop();
        running = start();
        await untilReady();
      },
    };
  }

  await program('initdb', '-D', first, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-sync');
  const primary = await serve(first);
  const replication = stack.use(await openGate(primary.port));
  const source = `host=127.0.0.1 port=${replication.port} user=postgres application_name=second`;
  await program('pg_basebackup', '-D', second, '-d', source, '-R', '-X', 'stream', '-c', 'fast');
  const standby = await serve(second);
  await primary.query("alter system set synchronous_standby_names = 'second'");
  await primary.query('select pg_reload_conf()');
  const owned = stack.move();
  return {
    primary,
    standby,
    replication,
    async promote() {
      await primary.stop();
      await standby.query('select pg_promote()');
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function idsOf(user: string): Promise<{ uid: number; gid: number }> {
  const id = async (of: '-u' | '-g') => Number((await run('id', [of, user])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}
