import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import sonicBoom from 'sonic-boom';
import { CommandError } from '../../commands/operator/command-error.ts';
import type { LineSink, SinkEvents } from './open-access-log.ts';

/** How many bytes of lines may wait for a slow disk. Further lines are dropped. */
const HELD_BYTES_MAX = 4 * 1024 * 1024;
const WRITE_BYTES_MIN = 16 * 1024;
const WRITE_BYTES_MAX = 64 * 1024;
const FLUSH_MS = 1_000;
const CLOSE_MS = 2_000;

/**
 * Opens a log file for appending. If another program moves the file, creates it again.
 *
 * @throws CommandError if the file cannot be written.
 */
export async function openLogFile(
  file: string,
  { onDropped, onFailure }: SinkEvents,
  heldBytesMax = HELD_BYTES_MAX,
): Promise<LineSink> {
  const rotation = await followRotation(file);
  const stream = new sonicBoom.SonicBoom({
    dest: file,
    mode: FILE_MODE,
    minLength: WRITE_BYTES_MIN,
    maxWrite: WRITE_BYTES_MAX,
    maxLength: heldBytesMax,
    periodicFlush: FLUSH_MS,
  });
  // A line whose write failed stays in the buffer, and is written together with the next lines.
  stream.on('error', onFailure);
  stream.on('drop', () => onDropped(1));
  let closing = false;
  const timer = setInterval(() => {
    void rotation.isMoved().then((isMoved) => {
      if (isMoved && !closing) stream.reopen();
    }, onFailure);
  }, FLUSH_MS).unref();
  return {
    write(line) {
      if (closing) onDropped(1);
      else stream.write(`${line}\n`);
    },
    async close() {
      closing = true;
      clearInterval(timer);
      const { promise, resolve } = Promise.withResolvers<void>();
      const late = setTimeout(resolve, CLOSE_MS);
      stream.once('close', resolve).once('error', () => resolve());
      stream.end();
      await promise;
      clearTimeout(late);
    },
  };
}

/** The owner may write, the group may read. */
const FILE_MODE = 0o640;

/** Detects when a program that rotates logs has moved or deleted a file. */
export interface Rotation {
  /** Returns true if the file was replaced or deleted since the last call. Creates the file if it was deleted. */
  isMoved(): Promise<boolean>;
}

/** @throws CommandError if the file is not a regular file, or cannot be written. */
export async function followRotation(file: string): Promise<Rotation> {
  let known = await identify(file).catch((cause: NodeJS.ErrnoException) => {
    throw new CommandError(
      'access_log_unwritable',
      `The access log ${file} cannot be written (${cause.code ?? cause.message}).`,
      'Create its folder and let the user of the node write there, or set NAMEPLATE_ACCESS_LOG to another file.',
      cause,
    );
  });
  if (known === null) {
    throw new CommandError(
      'access_log_unwritable',
      `The access log ${file} is not a regular file.`,
      'Set NAMEPLATE_ACCESS_LOG to a file, or to a syslog server such as syslog://127.0.0.1:514.',
    );
  }
  return {
    async isMoved() {
      const before = known;
      const now = await stat(file, { bigint: true }).catch(() => null);
      if (now && `${now.dev} ${now.ino}` === before) return false;
      known = await identify(file);
      return known !== before;
    },
  };
}

/** Returns the device and inode of a file, and creates the file if it does not exist. Returns null if it is not a regular file. */
async function identify(file: string): Promise<string | null> {
  // Without O_NONBLOCK, opening a named pipe would block until a reader opens it.
  const flags = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_NONBLOCK;
  const handle = await open(file, flags, FILE_MODE);
  try {
    const found = await handle.stat({ bigint: true });
    return found.isFile() ? `${found.dev} ${found.ino}` : null;
  } finally {
    await handle.close();
  }
}
