import { mkdirSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { CliError } from '../runtime/cli-error.ts';
import type { World } from './world.ts';

/** Work under the lock takes milliseconds, so a lock older than this belongs to a crashed process. */
const STALE_MS = 5_000;
const WAIT_MS_MAX = 10_000;
const PAUSE_MS = 20;

/**
 * Runs `work` while no other process holds the lock on `file`. The lock is a folder beside the file, because `mkdir`
 * is atomic on every system. `work` is synchronous, so that the lock is held for milliseconds only.
 *
 * @throws CliError `config_locked` if other processes hold the lock for ten seconds.
 */
export async function underFileLock<T>(file: string, world: World, work: () => T): Promise<T> {
  const lock = `${file}.lock`;
  const startedAt = world.elapsedMs();
  while (!tryLock(lock)) {
    if (world.elapsedMs() - startedAt > WAIT_MS_MAX) throw locked(file, lock);
    await world.sleep(PAUSE_MS);
  }
  try {
    return work();
  } finally {
    rmdirSync(lock);
  }
}

function tryLock(lock: string): boolean {
  try {
    mkdirSync(lock, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    discardStale(lock);
    return false;
  }
}

/** Removes a stale lock. Renames it first, so that only one of several processes succeeds. */
function discardStale(lock: string): void {
  const stat = statSync(lock, { throwIfNoEntry: false });
  if (stat === undefined || Date.now() - stat.mtimeMs < STALE_MS) return;
  const discarded = `${lock}.${process.pid}`;
  try {
    renameSync(lock, discarded);
    rmdirSync(discarded);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function locked(file: string, lock: string): CliError {
  return new CliError('config_locked', `Another process is writing ${file}.`, {
    fix: `Try again. If no other nameplate command is running, remove the folder ${lock}.`,
  });
}
