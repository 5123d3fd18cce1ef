import {
  type AbortableOperationOptions,
  type CompiledQuery,
  type DatabaseConnection,
  PostgresDriver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';

/**
 * A driver that sends `BEGIN` together with the first reads of a transaction, which saves a round trip. A statement that may write waits
 * until the transaction has begun, because it would otherwise take effect by itself if `BEGIN` failed.
 */
export class EarlyReadsDriver extends PostgresDriver {
  /** The connections whose `BEGIN` has no response yet. */
  readonly #beginning = new WeakMap<DatabaseConnection, Beginning>();
  readonly #seen = new WeakSet<DatabaseConnection>();

  override async acquireConnection(options?: AbortableOperationOptions): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection(options);
    if (this.#seen.has(connection)) return connection;
    this.#seen.add(connection);
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
      const beginning = this.#beginning.get(connection);
      if (beginning === undefined) return execute(query);
      if (isRead(query) && !beginning.isWaitedFor) {
        const [result] = await Promise.all([execute<Row>(query), beginning.begun]);
        return result;
      }
      beginning.isWaitedFor = true;
      await beginning.begun;
      return execute(query);
    };
    return connection;
  }

  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    const begun = super.beginTransaction(connection, settings);
    const beginning: Beginning = { begun, isWaitedFor: false };
    this.#beginning.set(connection, beginning);
    // If `BEGIN` fails, the entry stays, so every later statement fails, too. The rollback then fails, and the connection is discarded.
    begun.then(
      () => this.#beginning.delete(connection),
      () => undefined,
    );
  }

  /** Commits after the statements that wait for `BEGIN`. */
  override async commitTransaction(
    connection: Parameters<PostgresDriver['commitTransaction']>[0],
  ): Promise<void> {
    await this.#beginning.get(connection)?.begun;
    await super.commitTransaction(connection);
  }

  /** Rolls back. If the rollback fails, the connection is discarded, and the caller still throws the error that caused the rollback. */
  override async rollbackTransaction(
    connection: Parameters<PostgresDriver['rollbackTransaction']>[0],
  ): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => undefined);
  }
}

/** Returns whether a statement cannot write, not even in a common table expression. */
function isRead({ query }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode' && query.with === undefined;
}

interface Beginning {
  begun: Promise<void>;
  /** True once a statement waits. Later ones wait too, so that all run in their order. */
  isWaitedFor: boolean;
}
