import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { SECOND_MS } from '../shared/core/instant.ts';
import type { Clock } from '../shared/ports/clock.ts';

/** No work takes this long: an older lock file was left by a process that was killed. */
const TURN_MS_MAX = 5 * SECOND_MS;
const PAUSE_MS = 5;
const PAUSES_MAX = (2 * TURN_MS_MAX) / PAUSE_MS;

/**
 * Runs `work` while holding a lock file, so that only one process at a time does. Blocks while another process holds it.
 * @param file the lock file.
 * @param clock of the machine, as compared with the file's time.
 * @throws Error if another process never releases the file, or on a failure of the file system.
 */
export function withFileLock<T>(file: string, clock: Clock, work: () => T): T {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  for (let pauses = 0; !take(file); pauses++) {
    if (pauses === PAUSES_MAX) throw new Error(`another process does not release ${file}`);
    if (clock.now() - takenAt(file, clock) > TURN_MS_MAX) rmSync(file, { force: true });
    else Atomics.wait(NEVER_WOKEN, 0, 0, PAUSE_MS);
  }
  try {
    return work();
  } finally {
    rmSync(file, { force: true });
  }
}

const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(4));

function take(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function takenAt(file: string, clock: Clock): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? clock.now();
}
