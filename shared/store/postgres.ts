import {
  Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type PostgresPool,
} from 'kysely';
import pg from 'pg';
import { SNAPSHOTS } from './commit-order.ts';
import { TransactionLockAdapter } from './migrations/migrate.ts';
import { COLUMN_TYPES, type DialectFlags, type Store } from './store.ts';
import type { Tables } from './tables.ts';

/**
 * Opens a store on Postgres 15 or newer. The pool's `types` must be `POSTGRES_TYPES`, and its `pipeline` true. `migrateSchema` creates the schema.
 * @param onQueryError called with the error of each failed query.
 */
export function openPostgres(
  pool: PostgresPool,
  onQueryError: (error: unknown) => void = () => undefined,
): Store {
  const db = new Kysely<Tables>({
    dialect: new StoreDialect({ pool }),
    log(event) {
      if (event.level === 'error') onQueryError(event.error);
    },
  });
  return { db, flags: POSTGRES };
}

const POSTGRES: DialectFlags = {
  rowLocks: true,
  ...COLUMN_TYPES.postgres,
  jsonRecords: true,
  lateral: true,
  failsWhole: true,
  commits: SNAPSHOTS,
};

const INT8_OID = 20;

/** Reads `bigint` as a number. The columns contain times in milliseconds, which a double represents exactly until the year 285 000. */
export const POSTGRES_TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

class StoreDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): PostgresDriver {
    return new StoreDriver(this.#config);
  }

  override createAdapter(): TransactionLockAdapter {
    return new TransactionLockAdapter();
  }
}

class StoreDriver extends PostgresDriver {
  /** Rolls back. Ignores an error of the rollback, so that the caller throws the error that caused the rollback. */
  override async rollbackTransaction(
    connection: Parameters<PostgresDriver['rollbackTransaction']>[0],
  ): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => undefined);
  }
}
