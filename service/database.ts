import { sql } from 'kysely';
import type { Log } from '../shared/ports/log.ts';
import { openPostgres } from '../shared/store/postgres.ts';
import { closeStore, type Store } from '../shared/store/store.ts';
import { CommandError } from './command-error.ts';
import type { EncryptionKeys, ServiceConfig } from './config.ts';
import { openEmbeddedDatabase } from './embedded-database.ts';
import { readKeyFile } from './encryption-key-file.ts';

/** The database of a deployment, opened, and the keys that its secrets are sealed with. */
export interface Database {
  store: Store;
  /** For LISTEN and NOTIFY. */
  listen_url: string;
  keys: EncryptionKeys;
  close(): Promise<void>;
}

const POSTGRES_VERSION_MIN = 15;

/**
 * Opens `DATABASE_URL`, else the embedded Postgres of the data folder. Nothing is migrated.
 * @throws CommandError where it does not answer, or is older than Postgres 15.
 */
export async function openDatabase(config: ServiceConfig, log: Log): Promise<Database> {
  const embedded = config.database_url === null ? await openEmbeddedDatabase(config.data_dir) : null;
  const url = config.database_url ?? embedded?.url ?? '';
  const store = openPostgres({
    connection_string: url,
    connections_max: config.connections_max,
    statement_timeout_ms: config.statement_timeout_ms,
    on_idle_error: (error) => log.warn({ error }, 'a connection to the database broke; another is made'),
  });
  const database: Database = {
    store,
    listen_url: config.listen_url ?? url,
    keys: config.encryption_keys ?? readKeyFile(config.data_dir),
    async close() {
      await closeStore(store);
      await embedded?.close();
    },
  };
  try {
    await checkVersion(store);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function checkVersion(store: Store): Promise<void> {
  const version = await readVersion(store);
  if (version >= POSTGRES_VERSION_MIN) return;
  throw new CommandError(
    'database_too_old',
    `The database is Postgres ${version}.`,
    `Upgrade it to Postgres ${POSTGRES_VERSION_MIN} or newer, or set DATABASE_URL to one that is.`,
  );
}

async function readVersion(store: Store): Promise<number> {
  try {
    const { rows } = await sql<{ version: string }>`
      select current_setting('server_version_num') as version`.execute(store.db);
    return Math.floor(Number(rows[0]?.version ?? 0) / 10_000);
  } catch (cause) {
    throw new CommandError(
      'database_unavailable',
      `The database does not answer: ${reasonOf(cause)}`,
      'Check DATABASE_URL, and that its server runs and takes connections from here.',
      cause,
    );
  }
}

/** A host with several addresses fails once for each of them, in an error without words of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}
