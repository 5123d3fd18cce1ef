import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openSqlite } from '../../shared/store/sqlite.ts';
import { closeStore } from '../../shared/store/store.ts';
import type { OpenedStore } from './open-store.ts';

export async function openMemory(): Promise<OpenedStore> {
  const store = openSqlite(null);
  return { store, [Symbol.asyncDispose]: () => closeStore(store) };
}

/** Opens a store on a SQLite file in a new folder. Disposing the store removes the folder. */
export async function openFile(): Promise<OpenedStore> {
  const folder = temporaryFolder();
  const store = openSqlite(path.join(folder.path, 'store.sqlite'));
  return {
    store,
    [Symbol.asyncDispose]: async () => {
      await closeStore(store);
      folder[Symbol.dispose]();
    },
  };
}

export function temporaryFolder(): Disposable & { path: string } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-store-'));
  return { path: folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}
