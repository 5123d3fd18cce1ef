import { linkSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The format of the file. A file with another format is put aside. */
const FORMAT = 1;
/** How long a process waits for another one that creates the file at the same moment. No visitor waits yet. */
const OPENING_MS = 5_000;

const SCHEMA = `
  create table if not exists names (key text primary key, id integer not null) without rowid;
  create table if not exists stored (id integer primary key, epoch integer not null, number integer not null, value blob not null);
  create table if not exists gone (key text primary key, epoch integer not null, number integer not null) without rowid;
  create index if not exists gone_number on gone (number);
  create table if not exists changes (seq integer primary key autoincrement, key text not null);
  create table if not exists facts (name text primary key, value text not null) without rowid;
  create table if not exists lease (id integer primary key, holder text, sign integer, beat integer, beat_at integer);
  insert or ignore into lease values (1, '0', 0, 0, 0); pragma user_version = ${FORMAT};
`;

/**
 * Opens a connection to the replica of a folder, and creates the file if there is none.
 * @param opened gets the connection, even if the file cannot be used.
 * @throws Error if the folder cannot be used, or if the file is damaged or has another format.
 */
export function openFile(folder: string, opened: DisposableStack): DatabaseSync {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const database = connectTo(replicaFile(folder), opened);
  const format = Number(database.prepare('pragma user_version').get()?.['user_version']);
  if (format !== 0 && format !== FORMAT) throw new ReplicaError(`it has the unknown format ${format}`);
  // A file that exists is opened without a write, because the disk may be full.
  if (format === 0) database.exec(SCHEMA);
  return database;
}

/** Thrown if a file is not a replica that this version, or this installation, can use. */
export class ReplicaError extends Error {
  override name = 'ReplicaError';
}

/** Returns whether an error says that the file cannot be used. A file that is only busy, or on a full disk, is not put aside. */
export function isUnusable(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode ?? 0;
  return error instanceof ReplicaError || DAMAGES.has(code & 0xff);
}

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGES: ReadonlySet<number> = new Set([11, 26]);

export function replicaFile(folder: string): string {
  return path.join(folder, 'replica.sqlite');
}

/**
 * Renames a replica that cannot be used, and deletes those that were renamed before. Without a replacement, the next call of `openReplica`
 * creates a new file.
 * @param replacement a file that takes its place. @returns the new name of the replica.
 */
export function putAside(folder: string, replacement?: string): string {
  const file = replicaFile(folder);
  const aside = `${file}.${new Date().toISOString().replaceAll(':', '-')}`;
  // The main file is renamed last, so that no process opens a new file beside the old log.
  for (const suffix of ['-wal', '-shm']) moveIfThere(file + suffix, aside + suffix);
  if (replacement === undefined) moveIfThere(file, aside);
  else {
    linkSync(file, aside);
    renameSync(replacement, file);
  }
  for (const name of readdirSync(folder).map((each) => path.join(folder, each)))
    if (name.startsWith(`${file}.2`) && !name.startsWith(aside)) rmSync(name, { force: true });
  return aside;
}

/** Another process may move the same file. */
function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Opens a connection to a replica's file. */
export function connectTo(file: string, opened: DisposableStack): DatabaseSync {
  const database = opened.use(new DatabaseSync(file, { timeout: OPENING_MS }));
  // In a new file, a page has room for three values with certificates. With the default of 4096 bytes, it has room for one.
  database.exec('pragma page_size = 8192; pragma journal_mode = wal; pragma cache_size = -8000');
  return database;
}
