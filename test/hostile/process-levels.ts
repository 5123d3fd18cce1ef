import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The machine's resources that a process holds. Linux tells it below `/proc`. */
export interface Levels {
  descriptors: number;
  /** Connections that hostile visitors made to it. */
  strangers: number;
  rssMb: number;
}

/** Where hostile visitors come from: everywhere below it, and good visitors do not. */
export const STRANGERS = '127.66.';

/** Reads the levels of a process. Returns null once it has ended. */
export function levelsOf(pid: number): Levels | null {
  try {
    return readLevels(pid);
  } catch (error) {
    if (error instanceof Error && 'code' in error && ENDED.has(error.code)) return null;
    throw error;
  }
}

/** False once the process has ended and its parent knows. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

/** A process that has ended is gone, or waits for its parent. */
const ENDED: ReadonlySet<unknown> = new Set(['ENOENT', 'ESRCH', 'EACCES']);

function readLevels(pid: number): Levels {
  const folder = `/proc/${pid}/fd`;
  const links = readdirSync(folder).map((fd) => linkOf(`${folder}/${fd}`));
  const hostile = socketsTo(STRANGERS);
  return {
    descriptors: links.length,
    strangers: links.filter((link) => hostile.has(link)).length,
    rssMb: Math.round(
      Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    ),
  };
}

/** A descriptor may have been closed since it was listed. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

/** Every socket of the machine whose other end is at such an address. The kernel writes addresses in hexadecimal, last byte first. */
function socketsTo(prefix: string): Set<string> {
  const bytes = prefix.split('.').filter((byte) => byte !== '');
  const suffix = bytes
    .reverse()
    .map((byte) => Number(byte).toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
  const lines = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  const sockets = lines.map((line) => line.trim().split(/\s+/));
  const hostile = sockets.filter(([, , remote = '']) => remote.split(':')[0]?.endsWith(suffix));
  return new Set(hostile.map((fields) => `socket:[${fields[9]}]`));
}
