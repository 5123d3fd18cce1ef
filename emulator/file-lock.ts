import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { tryFileLock } from '../shared/adapters/file-lock.ts';
import { SECOND_MS } from '../shared/core/instant.ts';
import type { Clock } from '../shared/ports/system.ts';

/** No process holds the lock this long, so an older lock belongs to a process that was killed. */
const TURN_MS_MAX = 5 * SECOND_MS;
const PAUSE_MS = 5;
const PAUSES_MAX = (2 * TURN_MS_MAX) / PAUSE_MS;

/**
 * Runs `work` while holding a lock, so that only one process at a time runs it. Blocks while another process holds it.
 * @param lock the folder of the lock (`tryFileLock`).
 * @param clock the machine's clock, with which the lock's age is measured.
 * @throws Error if another process never releases the lock, or on a failure of the file system.
 */
export function withFileLock<T>(lock: string, clock: Clock, work: () => T): T {
  const release = takeLock(lock, clock);
  try {
    return work();
  } finally {
    release();
  }
}

function takeLock(lock: string, clock: Clock): () => void {
  mkdirSync(path.dirname(lock), { recursive: true, mode: 0o700 });
  for (let pauses = 0; pauses <= PAUSES_MAX; pauses++) {
    const release = tryFileLock(lock, { now: clock.now(), staleMs: TURN_MS_MAX });
    if (release !== null) return release;
    Atomics.wait(NEVER_WOKEN, 0, 0, PAUSE_MS);
  }
  throw new Error(`another process does not release ${lock}`);
}

const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(4));
