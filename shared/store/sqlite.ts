import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { NUMBERS } from './commit-order.ts';
import { COLUMN_TYPES, type DialectFlags, type Store } from './store.ts';
import type { Tables } from './tables.ts';

/** Maximum number of prepared statements to cache. The repository has fewer different queries. */
const STATEMENTS_MAX = 500;
/** SQLite's result code for a file that another process has locked. */
const SQLITE_BUSY = 5;

/**
 * Opens a SQLite store on Node's own driver. `migrateSchema` creates the schema.
 * @param file the path of the file, or null for a database in memory. Creates the file and its folder if they do not exist.
 * @throws DatabaseFileError if the file cannot be opened or belongs to a running process (the lock is exclusive).
 */
export function openSqlite(file: string | null): Store {
  const database = file === null ? openDatabase(':memory:') : openFile(file);
  const db = new Kysely<Tables>({ dialect: new NodeSqliteDialect({ database: adapt(database) }) });
  return { db, flags: SQLITE };
}

const SQLITE: DialectFlags = {
  rowLocks: false,
  ...COLUMN_TYPES.sqlite,
  jsonRecords: false,
  lateral: false,
  failsWhole: false,
  commits: NUMBERS,
};

/** Thrown if the database file cannot be opened, or if another process uses it. */
export class DatabaseFileError extends Error {
  readonly code: 'database_in_use' | 'database_unusable';

  constructor(file: string, cause: unknown) {
    const busy = cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY;
    super(`${file} ${busy ? 'is in use by another process' : 'cannot be opened as a database'}`, { cause });
    this.name = 'DatabaseFileError';
    this.code = busy ? 'database_in_use' : 'database_unusable';
  }
}

function openFile(file: string): DatabaseSync {
  try {
    createPrivately(file);
    return openDatabase(file);
  } catch (cause) {
    throw new DatabaseFileError(file, cause);
  }
}

/**
 * Creates the file so that only its owner can read it, because it contains secrets. The same applies to its folder, and to SQLite's
 * auxiliary files, which get the same mode.
 */
function createPrivately(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    // Creates the file before SQLite opens it, and never opens it again: closing a file drops every lock that this process has on it
    // (POSIX, fcntl).
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  try {
    // Only one process can use the file. A second emulator with the same file fails immediately, so that the times of two clocks never mix.
    database.exec('pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = normal');
    database.exec('pragma foreign_keys = on; pragma temp_store = memory; begin immediate; commit');
    database.exec('create temp table opening as select hex(randomblob(16)) as id');
  } catch (cause) {
    database.close();
    throw cause;
  }
  return database;
}

class NodeSqliteDialect extends SqliteDialect {
  readonly #config: { database: SqliteDatabase };

  constructor(config: { database: SqliteDatabase }) {
    super(config);
    this.#config = config;
  }

  override createAdapter() {
    return new TransactionalDdlAdapter();
  }

  override createDriver() {
    return new ImmediateDriver(this.#config);
  }
}

class TransactionalDdlAdapter extends SqliteAdapter {
  /**
   * Tells Kysely that SQLite has transactional DDL, which Kysely does not assume. So if a process is killed during a migration, the next
   * process can still migrate the database.
   */
  override get supportsTransactionalDdl() {
    return true;
  }
}

class ImmediateDriver extends SqliteDriver {
  /**
   * Takes the write lock at the start of a transaction. A transaction that starts with reads could later fail to get the lock because the
   * database is busy.
   */
  override async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

const CHANGES_SCHEMA = /^\s*(?:alter|create|drop)\b/i;

/** Adapts `node:sqlite` to the interface of better-sqlite3, which Kysely expects. */
function adapt(database: DatabaseSync): SqliteDatabase {
  const prepared = new LRUCache<string, SqliteStatement>({ max: STATEMENTS_MAX });
  return {
    close: () => database.close(),
    prepare(sql) {
      // A cached statement contains the names of its columns, which a change of the schema may change.
      if (CHANGES_SCHEMA.test(sql)) prepared.clear();
      let statement = prepared.get(sql);
      if (statement === undefined) {
        statement = adaptStatement(database.prepare(sql));
        prepared.set(sql, statement);
      }
      return statement;
    },
  };
}

/**
 * Adapts a statement. Reads rows as arrays and creates the objects from them. The row objects of `node:sqlite` have no prototype, which
 * makes copying them several times as slow.
 */
function adaptStatement(statement: StatementSync): SqliteStatement {
  const names = statement.columns().map(({ name }) => name);
  statement.setReturnArrays(true);
  const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
  const toRow = (row: unknown) => rowOf(names, row as unknown[]);
  function* rows(parameters: readonly unknown[]) {
    for (const row of statement.iterate(...values(parameters))) yield toRow(row);
  }
  return {
    reader: names.length > 0,
    all: (parameters) => statement.all(...values(parameters)).map(toRow),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: rows,
  };
}

function rowOf(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let i = 0; i < names.length; i++) row[names[i] as string] = values[i];
  return row;
}
