import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The resources that a process uses, read from `/proc` on Linux. */
export interface Levels {
  /**
   * One line for each open descriptor: its link in `/proc` and, for a TCP socket, the two addresses and the state. The kernel does not list
   * a TCP socket after a reset, so its line has only the link.
   */
  descriptors: readonly string[];
  /** Number of open connections from hostile visitors. */
  strangers: number;
  rssMb: number;
}

/** The prefix of hostile visitors' addresses. Good visitors have other addresses. */
export const STRANGERS = '127.66.';

/** Returns the levels of a process; null once the process has ended. */
export function levelsOf(pid: number): Levels | null {
  try {
    return readLevels(pid);
  } catch (error) {
    if (error instanceof Error && 'code' in error && ENDED.has(error.code)) return null;
    throw error;
  }
}

/** Returns false once the process has ended and its parent has reaped it. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

/** Errors of reading `/proc` for a process that has ended, whether or not its parent has reaped it. */
const ENDED: ReadonlySet<unknown> = new Set(['ENOENT', 'ESRCH', 'EACCES']);

function readLevels(pid: number): Levels {
  const folder = `/proc/${pid}/fd`;
  const links = readdirSync(folder).flatMap((fd) => linkOf(`${folder}/${fd}`) ?? []);
  const sockets = tcpSockets();
  return {
    descriptors: links.map((link) => {
      const socket = sockets.get(link);
      return socket ? `${link} ${socket.local} to ${socket.remote}, ${socket.state}` : link;
    }),
    strangers: links.filter((link) => sockets.get(link)?.remote.startsWith(STRANGERS)).length,
    rssMb: Math.round(
      Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    ),
  };
}

/** Returns the link of a descriptor; null if the descriptor has been closed since it was listed. */
function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

interface TcpSocket {
  local: string;
  remote: string;
  state: string;
}

/**
 * Returns the machine's IPv4 TCP sockets by their link in `/proc/<pid>/fd`, `socket:[<inode>]`. See proc(5) for the fields of
 * `/proc/net/tcp`.
 */
function tcpSockets(): Map<string, TcpSocket> {
  const lines = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  return new Map(
    lines.map((line) => {
      const [, local = '', remote = '', state = '', , , , , , inode] = line.trim().split(/\s+/);
      return [
        `socket:[${inode}]`,
        { local: addressOf(local), remote: addressOf(remote), state: STATES[Number(`0x${state}`)] ?? state },
      ];
    }),
  );
}

/** Parses an address of `/proc/net/tcp`, which is hexadecimal with the last byte first. */
function addressOf(field: string): string {
  const [address = '', port = ''] = field.split(':');
  return `${Buffer.from(address, 'hex').reverse().join('.')}:${Number(`0x${port}`)}`;
}

/** The names of TCP states by their number, from `include/net/tcp_states.h` of Linux. */
const STATES = [
  'no state',
  'ESTABLISHED',
  'SYN_SENT',
  'SYN_RECV',
  'FIN_WAIT1',
  'FIN_WAIT2',
  'TIME_WAIT',
  'CLOSE',
  'CLOSE_WAIT',
  'LAST_ACK',
  'LISTEN',
  'CLOSING',
];
