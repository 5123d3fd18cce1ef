import { statSync, truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { AccessLogSettings, AccessLogTarget } from '../../settings/access-log-settings.ts';
import { followRotation, type Rotation } from '../access-log/log-file.ts';
import { SYSLOG_TAG } from '../access-log/syslog-server.ts';

/** The error log is emptied when it reaches this length in bytes. */
const BYTES_MAX = 10 * 1024 * 1024;
const READ_BYTES_MAX = 64 * 1024;

/** Reads what nginx has added to its error log, and limits the size of the file. */
export interface FollowedLog {
  /** Calls `onLine` for each line since the last call. Skips lines after the first 64 KiB. */
  read(file: string): Promise<void>;
}

export function followLog(onLine: (line: string) => void): FollowedLog {
  let readTo = 0;
  return {
    async read(file) {
      const { size } = statSync(file, { throwIfNoEntry: false }) ?? { size: 0 };
      if (size <= readTo) return;
      const handle = await open(file);
      try {
        const buffer = Buffer.alloc(Math.min(size - readTo, READ_BYTES_MAX));
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, readTo);
        readTo = size;
        for (const line of buffer.toString('utf8', 0, bytesRead).split('\n')) if (line !== '') onLine(line);
      } finally {
        await handle.close();
      }
      if (size < BYTES_MAX) return;
      truncateSync(file);
      readTo = 0;
    },
  };
}

/**
 * Returns the directive for the access log. It logs the requests for which the Lua code has made a line. Each worker writes its lines
 * within a second.
 */
export function accessLogDirective(target: AccessLogTarget | null): string {
  if (target === null) return '';
  const condition = 'nameplate if=$nameplate_line';
  if (target.kind === 'file') return `access_log ${target.file} ${condition} buffer=64k flush=1s;`;
  const host = target.host.includes(':') ? `[${target.host}]` : target.host;
  return `access_log syslog:server=${host}:${target.port},tag=${SYSLOG_TAG} ${condition};`;
}

/**
 * Watches the file of the access log. The first call of `isMoved` returns true, because a running nginx may have opened the file before it
 * was moved.
 * @throws CommandError if the file cannot be written.
 */
export async function watchAccessLog(settings: AccessLogSettings | null): Promise<Rotation> {
  if (settings?.target.kind !== 'file') return { isMoved: async () => false };
  const rotation = await followRotation(settings.target.file);
  let isFirst = true;
  return {
    async isMoved() {
      const isMoved = await rotation.isMoved();
      const answer = isMoved || isFirst;
      isFirst = false;
      return answer;
    },
  };
}
