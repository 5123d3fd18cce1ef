import { tryFileLock } from '../../shared/adapters/file-lock.ts';
import { CliError } from '../runtime/cli-error.ts';
import type { World } from './world.ts';

/** Work under the lock takes milliseconds, so a lock older than this belongs to a crashed process. */
const STALE_MS = 5_000;
const WAIT_MS_MAX = 10_000;
const PAUSE_MS = 20;

/**
 * Runs `work` while no other process holds the lock on `file`. `work` is synchronous, so that the lock is held for milliseconds only.
 *
 * @throws CliError `config_locked` if other processes hold the lock for ten seconds.
 */
export async function underFileLock<T>(file: string, world: World, work: () => T): Promise<T> {
  const release = await takeLock(file, world);
  try {
    return work();
  } finally {
    release();
  }
}

async function takeLock(file: string, world: World): Promise<() => void> {
  const lock = `${file}.lock`;
  const startedAt = world.elapsedMs();
  for (;;) {
    const release = tryFileLock(lock, { now: Date.now(), staleMs: STALE_MS });
    if (release !== null) return release;
    if (world.elapsedMs() - startedAt > WAIT_MS_MAX) throw locked(file, lock);
    await world.sleep(PAUSE_MS);
  }
}

function locked(file: string, lock: string): CliError {
  return new CliError('config_locked', `Another process is writing ${file}.`, {
    fix: `Try again. If no other nameplate command is running, remove the folder ${lock}.`,
  });
}
