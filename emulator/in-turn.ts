import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { SECOND_MS } from '../shared/core/instant.ts';
import type { Clock } from '../shared/ports/clock.ts';

/** Longer than anybody needs: whoever took this turn was killed before the end of it. */
const TURN_MS_MAX = 5 * SECOND_MS;
const PAUSE_MS = 5;
const PAUSES_MAX = (2 * TURN_MS_MAX) / PAUSE_MS;

/**
 * Does what only one process may do at a time, and blocks while another is at it.
 * @param file is there as long as somebody is at it.
 * @param clock of the machine, which the file's time is of.
 * @throws Error where the turn never comes, or from the file system.
 */
export function inTurn<T>(file: string, clock: Clock, work: () => T): T {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  for (let pauses = 0; !take(file); pauses++) {
    if (pauses === PAUSES_MAX) throw new Error(`another process does not give up ${file}`);
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
