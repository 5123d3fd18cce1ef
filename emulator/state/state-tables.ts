import { sql } from 'kysely';
import type { AppId } from '../../shared/core/ids.ts';
import type { Store, Tx } from '../../shared/store/store.ts';

/** Matches the tables that hold no state: the list of migrations, and the order of commits. */
const OF_DATABASE = /^(?:sqlite|kysely)_|^commit_order$/;

/** Returns the names of the service's tables and of `emulator_facts`. */
export async function stateTables({ db }: Store): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from sqlite_schema where type = 'table'`.execute(
    db,
  );
  return rows.map(({ name }) => name).filter((name) => !OF_DATABASE.test(name));
}

export async function appIds(store: Store): Promise<AppId[]> {
  const rows = await store.db.selectFrom('apps').select('id').execute();
  return rows.map(({ id }) => id);
}

/** Deletes everything that the service stored. Leaves the emulator's own table `emulator_facts` unchanged. */
export async function clearState(tx: Tx): Promise<void> {
  const names = (await stateTables(tx)).filter((name) => name !== 'emulator_facts');
  for (const name of names) await sql`delete from ${sql.table(name)}`.execute(tx.db);
}
