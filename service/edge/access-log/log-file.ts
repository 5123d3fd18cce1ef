import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import sonicBoom from 'sonic-boom';
import { CommandError } from '../../commands/operator/command-error.ts';
import type { LineSink, SinkEvents } from './open-access-log.ts';

/** Lines that wait for a slow disk, in bytes. Beyond that, lines are dropped. */
const HELD_BYTES_MAX = 4 * 1024 * 1024;
const WRITE_BYTES_MIN = 16 * 1024;
const WRITE_BYTES_MAX = 64 * 1024;
const FLUSH_MS = 1_000;
const CLOSE_MS = 2_000;

/** Opens a log file for appending. Opens it again once another program has moved it. @throws CommandError if it cannot be written. */
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
  // A line whose write fails stays in the buffer, and is written again with the next ones.
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

/** Notices when a file is moved or deleted, as programs that rotate logs do. */
export interface Rotation {
  /** Returns whether the file is another one than at the last call, or is gone. Creates it if it is gone. */
  isMoved(): Promise<boolean>;
}

/** @throws CommandError if the file is no regular file, or cannot be written. */
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

/** Returns what identifies a file, which is created if it does not exist. Returns null if it is no regular file. */
async function identify(file: string): Promise<string | null> {
  // Without O_NONBLOCK, opening a named pipe would wait for a reader.
  const flags = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_NONBLOCK;
  const handle = await open(file, flags, FILE_MODE);
  try {
    const found = await handle.stat({ bigint: true });
    return found.isFile() ? `${found.dev} ${found.ino}` : null;
  } finally {
    await handle.close();
  }
}
