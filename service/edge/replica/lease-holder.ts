import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { isRunning } from '../nginx/nginx-process.ts';

/** Returns a new name for this process as the holder of a replica's lease: its process id, where that id is valid, and a random id. */
export function nameHolder(): string {
  return `${process.pid} ${pidSpace() ?? 'unknown'} ${randomUUID()}`;
}

/**
 * Returns true if the named process has certainly ended. Returns false for a process of another container or of another boot, because its
 * process id means nothing here.
 */
export function hasEnded(holder: string): boolean {
  const [pid, space] = holder.split(' ');
  return space === pidSpace() && !isRunning(Number(pid));
}

/** Returns the boot and the namespace in which process ids of this process are valid. Returns null on a system without `/proc`. */
function pidSpace(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return `${boot}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return null;
  }
}
