import { closeSync, constants, fchmodSync, fstatSync, openSync, statSync } from 'node:fs';
import path from 'node:path';
import type { PostgresOwner } from '../database/postgres-programs.ts';

/** Where the emulator and the command line keep their files too: they close it to everybody else. */
const OWN_FOLDER = '.nameplate';

/**
 * Lets other users through our own folders on the way to this one, under which Postgres runs when this is root: to pass, not to list.
 * What is in them is closed to others by itself. Nobody else's folder is changed.
 */
export function letThrough(data_dir: string): void {
  for (const folder of waysTo(data_dir)) {
    if (path.basename(folder) !== OWN_FOLDER) continue;
    openToPass(folder);
  }
}

/** By its descriptor, so that no link takes its place between the look and the change. */
function openToPass(folder: string): void {
  const opened = openOwnFolder(folder);
  if (opened === null) return;
  try {
    const { uid, mode } = fstatSync(opened);
    if (uid === process.geteuid?.()) fchmodSync(opened, (mode & 0o7777) | 0o001);
  } finally {
    closeSync(opened);
  }
}

/** @returns null where it is a link, or no folder. */
function openOwnFolder(folder: string): number | null {
  try {
    return openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch (error) {
    if (error instanceof Error && 'code' in error && NO_FOLDER.has(String(error.code))) return null;
    throw error;
  }
}

const NO_FOLDER = new Set(['ELOOP', 'ENOTDIR']);

/** The first folder on the way to these that a user may not enter, by its permission bits; null where there is none. */
export function closedOnTheWay(targets: readonly string[], user: PostgresOwner): string | null {
  const folders = targets.flatMap((target) => waysTo(target).toReversed());
  return folders.find((folder) => !mayEnter(folder, user)) ?? null;
}

/** The folder itself first, then each above it. */
function waysTo(target: string): string[] {
  const folder = path.resolve(target);
  const above = path.dirname(folder);
  return above === folder ? [folder] : [folder, ...waysTo(above)];
}

function mayEnter(folder: string, { uid, gid }: PostgresOwner): boolean {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return true;
  if (found.uid === uid) return (found.mode & 0o100) !== 0;
  return (found.mode & (found.gid === gid ? 0o010 : 0o001)) !== 0;
}
