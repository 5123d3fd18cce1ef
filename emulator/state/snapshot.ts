import { sql } from 'kysely';
import { systemRandom } from '../../shared/adapters/system.ts';
import { validationFailed } from '../../shared/core/errors.ts';
import type { AppId } from '../../shared/core/ids.ts';
import { unstorable } from '../../shared/core/text/printable.ts';
import { sealedFor } from '../../shared/operations/events/signing-secrets.ts';
import { issueMessage } from '../../shared/schema/issue-message.ts';
import { inTransaction, type Store, type Tx } from '../../shared/store/store.ts';
import { factsSchema } from './account-schema.ts';
import { createFileSecrets } from './file-secrets.ts';
import { clearState, stateTables } from './state-tables.ts';

/** The version of the export format. Raise this number when the tables or their columns change, so that an older export is refused. */
const FORMAT = 8;

type Row = Record<string, string | number | null>;
/** The whole state as one JSON document. */
export interface Snapshot {
  format: typeof FORMAT;
  tables: Record<string, Row[]>;
}

export async function exportState(store: Store): Promise<Snapshot> {
  return inTransaction(store, async (tx) => {
    const tables: Snapshot['tables'] = {};
    for (const name of await stateTables(tx)) {
      const { rows } = await sql<Row>`select * from ${sql.table(name)}`.execute(tx.db);
      // Leave out `xid`, the order of commits, because it belongs to the database and not to the state.
      tables[name] = rows.map(({ xid: _, ...row }) => row);
    }
    return { format: FORMAT, tables };
  });
}

/** Replaces the whole state in one transaction. @throws ServiceError `validation_failed` if the snapshot is not an export. */
export async function importState(store: Store, snapshot: unknown): Promise<void> {
  const { tables } = readSnapshot(snapshot, await stateTables(store));
  await inTransaction(store, async (tx) => {
    await clearState(tx);
    await sql`delete from emulator_facts`.execute(tx.db);
    for (const [name, rows] of Object.entries(tables)) {
      for (const row of rows) await insertRow(tx, name, row);
    }
  });
}

async function insertRow(tx: Tx, name: string, row: Row): Promise<void> {
  const columns = Object.keys(row);
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const values = sql.join(columns.map((column) => row[column] ?? null));
  try {
    await sql`insert into ${sql.table(name)} (${names}) values (${values})`.execute(tx.db);
  } catch (cause) {
    throw notASnapshot(`a row of ${name} was refused: ${cause instanceof Error ? cause.message : 'unknown'}`);
  }
}

function readSnapshot(value: unknown, names: readonly string[]): Snapshot {
  const { format, tables } = (value ?? {}) as Partial<Snapshot>;
  if (format !== FORMAT || typeof tables !== 'object' || tables === null)
    throw notASnapshot(`format must be ${FORMAT}`);
  const known = Object.fromEntries(names.map((name) => [name, tables[name] as Row[]]));
  const missing = names.find((name) => !Array.isArray(known[name]) || !known[name].every(isRow));
  if (missing !== undefined) throw notASnapshot(`tables.${missing} must be an array of rows`);
  const [problem] = unstorable(known);
  if (problem !== undefined) throw notASnapshot(`tables.${problem.path} ${problem.message}`);
  checkFacts(known);
  return { format, tables: known };
}

/** Checks the rows of `emulator_facts`, which the emulator needs to continue with this state and to start again with this file. */
function checkFacts({ emulator_facts = [], apps = [] }: Snapshot['tables']): void {
  const facts = factsSchema.safeParse(
    Object.fromEntries(emulator_facts.map(({ name, value }) => [name, parseJson(value)])),
    { error: issueMessage },
  );
  if (!facts.success) {
    const [issue] = facts.error.issues;
    throw notASnapshot(`tables.emulator_facts: ${issue?.path.join('.')} ${issue?.message}`);
  }
  if (!apps.some(({ id }) => id === facts.data.app_id))
    throw notASnapshot('tables.apps lacks the default app');
  checkSecrets(apps, facts.data.encryption_key);
}

/** Checks that the secrets can be decrypted with the imported key, because the next process that opens the file has no other key. */
function checkSecrets(apps: readonly Row[], encryptionKey: string): void {
  const secrets = createFileSecrets(encryptionKey, systemRandom);
  for (const { id, signing_secret, previous_signing_secret = null } of apps) {
    try {
      for (const sealed of [signing_secret, previous_signing_secret]) {
        if (sealed !== null) secrets.open(String(sealed), sealedFor(id as AppId));
      }
    } catch {
      // Replace the message of `node:crypto` for a wrong key, because it does not help the user.
      throw notASnapshot(
        `the signing secrets of ${id} do not open with the encryption_key of tables.emulator_facts`,
      );
    }
  }
}

function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined; // The schema reports what is expected.
  }
}

function isRow(row: unknown): boolean {
  return (
    typeof row === 'object' &&
    row !== null &&
    Object.values(row).every(
      (value) => value === null || typeof value === 'string' || typeof value === 'number',
    )
  );
}

function notASnapshot(message: string) {
  return validationFailed({
    path: '',
    message: `this is not a response of GET /_emulator/export: ${message}`,
  });
}
