import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Takes a lock that one process can hold at a time, without waiting for it.
 *
 * The lock is a folder with one file, whose name is unique to its holder. A rename puts the folder with its file in place, and fails if
 * there is already a folder with a file. So an empty folder is no lock. Removing a holder's file ends only that holder's lock and never a
 * newer one. So any process may remove the file of a stale lock.
 *
 * @param folder the folder of the lock, whose parent must exist.
 * @param staleMs the age at which a lock is stale. It is longer than any work, so a process that was killed must have left the lock.
 * @returns a function that releases the lock, or null if another process holds it.
 */
export function tryFileLock(
  folder: string,
  { now, staleMs }: { now: number; staleMs: number },
): (() => void) | null {
  if (isHeld(folder, now - staleMs)) return null;
  const holder = crypto.randomUUID();
  const draft = `${folder}.${holder}`;
  mkdirSync(draft, { mode: 0o700 });
  try {
    writeFileSync(path.join(draft, holder), '', { mode: 0o600 });
    renameSync(draft, folder);
    return () => {
      rmSync(path.join(folder, holder), { force: true });
      removeIfEmpty(folder);
    };
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!hasCode(error, TAKEN)) throw error;
    return null;
  }
}

/** Returns true if a process holds the lock. Removes stale locks. */
function isHeld(folder: string, staleBefore: number): boolean {
  for (const holder of holdersOf(folder)) {
    const stat = statSync(path.join(folder, holder), { throwIfNoEntry: false });
    if (stat !== undefined && stat.mtimeMs > staleBefore) return true;
    rmSync(path.join(folder, holder), { force: true });
  }
  removeIfEmpty(folder);
  return false;
}

function holdersOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, ['ENOENT'])) return [];
    throw error;
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!hasCode(error, ['ENOENT', ...TAKEN])) throw error;
  }
}

/** Error codes for a folder that is not empty. On Windows, also error codes for a folder that another process has open. */
const TAKEN = ['ENOTEMPTY', 'EEXIST', ...(process.platform === 'win32' ? ['EPERM', 'EACCES', 'EBUSY'] : [])];

function hasCode(error: unknown, codes: readonly unknown[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(error.code);
}
