import type { Log } from '../shared/ports/log.ts';
import { openPostgres } from '../shared/store/postgres.ts';
import { closeStore, type Store } from '../shared/store/store.ts';
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

/** Opens `DATABASE_URL`, else the embedded Postgres of the data folder. Nothing is migrated. */
export async function openDatabase(config: ServiceConfig, log: Log): Promise<Database> {
  const embedded = config.database_url === null ? await openEmbeddedDatabase(config.data_dir) : null;
  const url = config.database_url ?? embedded?.url ?? '';
  const store = openPostgres({
    connection_string: url,
    connections_max: config.connections_max,
    statement_timeout_ms: config.statement_timeout_ms,
    on_idle_error: (error) => log.warn({ error }, 'a connection to the database broke; another is made'),
  });
  return {
    store,
    listen_url: config.listen_url ?? url,
    keys: config.encryption_keys ?? readKeyFile(config.data_dir),
    async close() {
      await closeStore(store);
      await embedded?.close();
    },
  };
}
