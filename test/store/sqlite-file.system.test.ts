import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { AccountId } from '../../shared/core/ids.ts';
import { findAccount, insertAccount } from '../../shared/store/accounts/accounts.ts';
import { migrateSchema } from '../../shared/store/migrations/migrate.ts';
import { openSqlite } from '../../shared/store/sqlite.ts';
import { autocommit, closeStore } from '../../shared/store/store.ts';
import { temporaryFolder } from './open-sqlite.ts';
import { tableNames } from './open-store.ts';
import { anAccount } from './rows.ts';

/** Tests a SQLite file: only one process can open it, and committed data survives a crash. */
test('the store names a file that is already open in the same process, and refuses to open it again', async () => {
  using folder = temporaryFolder();
  const file = path.join(folder.path, 'store.sqlite');
  const store = openSqlite(file);
  expect(() => openSqlite(file)).toThrow(`${file} is in use by another process`);
  expect(() => openSqlite(file)).toThrow(expect.objectContaining({ code: 'database_in_use' }));
  await migrateSchema(store);
  await closeStore(store);
  await closeStore(openSqlite(file));
});

test('the store refuses a file that another process has open, before and after that process has written', async () => {
  using folder = temporaryFolder();
  const file = path.join(folder.path, 'store.sqlite');
  const writer = startWriter(file);
  expect(await writer.next()).toBe('open');
  expect(() => openSqlite(file)).toThrow(`${file} is in use by another process`);
  expect(await writer.next()).toMatch(/^acc_/);
  expect(() => openSqlite(file)).toThrow(`${file} is in use by another process`);
  await kill(writer.child);
  await closeStore(openSqlite(file));
});

test('the store keeps all committed data and no partial write after a kill -9 during writes', async () => {
  using folder = temporaryFolder();
  const file = path.join(folder.path, 'store.sqlite');
  const committed: string[] = [];
  for (const until of [5, 25, 60]) {
    const writer = startWriter(file);
    expect(await writer.next()).toBe('open');
    for (let i = 0; i < until; i++) committed.push(await writer.next());
    await kill(writer.child);
    committed.push(...(await writer.rest()));
    const store = openSqlite(file);
    for (const id of committed) expect(await findAccount(store, id as AccountId)).not.toBeNull();
    // The writer creates accounts in pairs, with one transaction for each pair.
    const names = await store.db.selectFrom('accounts').select('name').execute();
    const count = (name: string) => names.filter((each) => each.name === name).length;
    expect(count('first')).toBe(count('second'));
    const check = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(store.db);
    expect(check.rows).toEqual([{ integrity_check: 'ok' }]);
    await closeStore(store);
  }
});

test("the store's file still has all data after it was closed and opened again", async () => {
  using folder = temporaryFolder();
  const file = path.join(folder.path, 'store.sqlite');
  const account = anAccount();
  const first = openSqlite(file);
  await migrateSchema(first);
  await insertAccount(autocommit(first), account);
  await closeStore(first);
  const second = openSqlite(file);
  await migrateSchema(second);
  expect(await findAccount(second, account.id)).toEqual(account);
  await closeStore(second);
});

test('the store refuses a file that is no database, names it, and leaves it unchanged', async () => {
  using folder = temporaryFolder();
  const file = path.join(folder.path, 'notes.txt');
  const text = 'Not a database. '.repeat(100);
  writeFileSync(file, text);
  expect(() => openSqlite(file)).toThrow(`${file} cannot be opened as a database`);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('the store refuses a folder, and a file whose folder is a file', async () => {
  using folder = temporaryFolder();
  mkdirSync(path.join(folder.path, 'a-folder'));
  writeFileSync(path.join(folder.path, 'a-file'), '');
  for (const name of ['a-folder', 'a-file/store.sqlite']) {
    const refused = expect.objectContaining({ code: 'database_unusable' });
    expect(() => openSqlite(path.join(folder.path, name))).toThrow(refused);
  }
});

test('the store creates its files and their folder for their owner only', async () => {
  using folder = temporaryFolder();
  const file = path.join(folder.path, 'made', 'store.sqlite');
  const store = openSqlite(file);
  await migrateSchema(store);
  const files = [file, `${file}-wal`, `${file}-shm`].filter((each) => existsSync(each));
  expect(files).toContain(`${file}-wal`);
  for (const each of files) expect(statSync(each).mode & 0o777).toBe(0o600);
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  await closeStore(store);
});

test('two stores in memory share no data', async () => {
  const [one, two] = [openSqlite(null), openSqlite(null)];
  await migrateSchema(one);
  expect(await tableNames(two)).toEqual([]);
  await closeStore(one);
  await closeStore(two);
});

/** Runs `sqlite-writer.ts` in its own process. The process is killed when the test ends. */
function startWriter(file: string) {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./sqlite-writer.ts', import.meta.url)), file],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  onTestFinished(() => kill(child));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    /** Reads the next line of the writer's output. */
    async next(): Promise<string> {
      const line = await lines.next();
      if (line.done) throw new Error('The writer ended');
      return line.value;
    },
    /** Waits until the writer has ended. Returns the lines that were not read yet. */
    async rest(): Promise<string[]> {
      const rest: string[] = [];
      for await (const line of lines) rest.push(line);
      return rest;
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}
