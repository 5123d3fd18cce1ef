import { rmSync, writeFileSync } from 'node:fs';
import { backup } from 'node:sqlite';
import type { Clock, Log } from '../../../shared/ports/system.ts';
import type { Replica } from './replica.ts';
import { connectTo, putAside, replicaFile } from './replica-file.ts';

/** If a file has been locked for this time, the process that locked it is probably frozen. */
const LOCKED_MS = 10_000;

/**
 * Replaces a locked file with a copy. A process that was frozen in the middle of a write holds the lock. Processes can read such a
 * file, but not write to it. If the frozen process runs again, it writes only to the old file.
 * @param machine the clock by which the replica waits for its lock.
 */
export async function replaceLocked(
  folder: string,
  replica: Replica,
  machine: Clock,
  log: Log,
): Promise<void> {
  const isLocked = () => replica.lockedMs(machine.now()) >= LOCKED_MS && !replica.isReplaced();
  if (!isLocked()) return;
  const copy = `${replicaFile(folder)}.${new Date().toISOString().slice(0, 15)}`;
  try {
    writeFileSync(copy, '', { flag: 'wx' });
  } catch {
    return; // Another process copies the file. If it ends before the copy is complete, the next copy gets another name within ten minutes.
  }
  try {
    using opened = new DisposableStack();
    await backup(connectTo(replicaFile(folder), opened), copy);
    // If the disk hung, the file also seemed locked. The copy then ends only after the disk works again, so check the lock again.
    if (!isLocked()) return;
    const aside = putAside(folder, copy);
    log.error({ folder, aside }, 'the replica of this edge was locked for too long: a copy takes its place');
  } catch (error) {
    log.error({ error, folder }, 'the replica of this edge is locked, and cannot be copied');
  } finally {
    rmSync(copy, { force: true });
  }
}
