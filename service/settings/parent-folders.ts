import { closeSync, constants, fchmodSync, fstatSync, openSync, statSync } from 'node:fs';
import path from 'node:path';
import type { PostgresOwner } from '../database/postgres-programs.ts';

/** The folder in which the emulator and the CLI store their files too. They make it inaccessible to other users. */
const OWN_FOLDER = '.nameplate';

/**
 * Lets other users enter, but not list, the `.nameplate` folders above the data folder, because Postgres runs as another user if root
 * starts it. The files in these folders keep their permissions. Folders of other owners stay unchanged.
 */
export function allowPassage(dataDir: string): void {
  for (const folder of foldersUpFrom(dataDir)) {
    if (path.basename(folder) !== OWN_FOLDER) continue;
    allowPassageThrough(folder);
  }
}

/** Uses a file descriptor, so that the folder cannot be replaced with a link between the check and the change. */
function allowPassageThrough(folder: string): void {
  const opened = openOwnFolder(folder);
  if (opened === null) return;
  try {
    const { uid, mode } = fstatSync(opened);
    if (uid === process.geteuid?.()) fchmodSync(opened, (mode & 0o7777) | 0o001);
  } finally {
    closeSync(opened);
  }
}

/** Opens a folder. Returns null if it is a link or not a folder. */
function openOwnFolder(folder: string): number | null {
  try {
    return openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    if (error instanceof Error && 'code' in error && NO_FOLDER.has(String(error.code))) return null;
    throw error;
  }
}

const NO_FOLDER = new Set(['ELOOP', 'ENOTDIR']);

/**
 * Returns the first parent folder of the targets that a user may not enter according to its permission bits. Returns null if the user may
 * enter all.
 */
export function findClosedParent(targets: readonly string[], user: PostgresOwner): string | null {
  const folders = targets.flatMap((target) => foldersUpFrom(target).toReversed());
  return folders.find((folder) => !mayEnter(folder, user)) ?? null;
}

/** Returns the folder itself, then each folder above it. */
function foldersUpFrom(target: string): string[] {
  const folder = path.resolve(target);
  const above = path.dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersUpFrom(above)];
}

function mayEnter(folder: string, { uid, gid }: PostgresOwner): boolean {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return true;
  if (found.uid === uid) return (found.mode & 0o100) !== 0;
  return (found.mode & (found.gid === gid ? 0o010 : 0o001)) !== 0;
}
