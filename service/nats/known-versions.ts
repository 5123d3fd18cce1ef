import { DatabaseSync } from 'node:sqlite';
import type { KeyVersion } from '../edge/replica/replica.ts';

/** A version in the bucket, with the sequence of its message. */
export interface IndexedVersion extends KeyVersion {
  sequence: number;
  isDeleted: boolean;
}

/**
 * The versions of the values in the bucket, sorted by key, which a stream is not. They are in a temporary file of SQLite, because a million
 * of them would need 200 MB of memory.
 */
export function createKnownVersions() {
  // An empty name stands for a temporary file, which SQLite deletes.
  const database = new DatabaseSync('');
  database.exec(`pragma journal_mode = off; pragma synchronous = off;
    create table versions (key text primary key, epoch integer, number integer, sequence integer, deleted integer) without rowid`);
  const adding = database.prepare('insert or replace into versions values (?, ?, ?, ?, ?)');
  const finding = database.prepare('select * from versions where key = ?');
  const removing = database.prepare('delete from versions where key = ?');
  const between = database.prepare('select * from versions where key > ? and key <= ? order by key');
  const following = database.prepare('select * from versions where key > ? order by key limit ?');
  const read = ({ deleted, ...row }: Record<string, unknown>) =>
    ({ ...row, isDeleted: deleted === 1 }) as IndexedVersion;

  return {
    add(rows: readonly IndexedVersion[]): void {
      database.exec('begin');
      for (const { key, epoch, number, sequence, isDeleted } of rows)
        adding.run(key, epoch, number, sequence, isDeleted ? 1 : 0);
      database.exec('commit');
    },
    find(key: string): IndexedVersion | null {
      const row = finding.get(key);
      return row === undefined ? null : read(row);
    },
    remove: (key: string) => void removing.run(key),
    clear: () => database.exec('delete from versions'),
    /** Lists the versions after a key, up to another one; null is the end. */
    range: (after: string, to: string | null) => between.all(after, to ?? '\u{10ffff}').map(read),
    /** Lists all versions in the order of their keys. */
    *pages(limit: number): Generator<IndexedVersion[]> {
      let rows: IndexedVersion[] = [];
      do {
        rows = following.all(rows.at(-1)?.key ?? '', limit).map(read);
        if (rows.length > 0) yield rows;
      } while (rows.length === limit);
    },
    close: () => database.close(),
  };
}
