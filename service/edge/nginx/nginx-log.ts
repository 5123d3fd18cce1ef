import { statSync, truncateSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** The log is emptied when it reaches this length, in bytes. */
const BYTES_MAX = 10 * 1024 * 1024;
const READ_BYTES_MAX = 64 * 1024;

/** Reads what nginx has added to its error log, and bounds the file. */
export interface FollowedLog {
  /** Passes on the lines since the last call. Leaves out those beyond 64 KiB. */
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
