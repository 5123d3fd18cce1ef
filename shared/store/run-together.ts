import type { CompiledQuery } from 'kysely';
import type { Store } from './store.ts';

/** A statement that has not run yet. */
export type Statement<Row = unknown> = CompiledQuery<Row>;

/**
 * Sends statements that do not need each other's results together, so that they take one round trip. The database runs them one after the
 * other in the given order. Call it within a transaction.
 * @returns the rows of each statement.
 * @throws the error of the first statement that failed. In Postgres, those after it then fail, too.
 */
export async function runTogether<Statements extends readonly Statement[]>(
  store: Store,
  ...statements: Statements
): Promise<{ [I in keyof Statements]: Statements[I] extends Statement<infer Row> ? Row[] : never }> {
  if (statements.length === 0) return [] as never;
  const results = await store.db
    .getExecutor()
    .provideConnection((connection) =>
      Promise.all(statements.map((statement) => connection.executeQuery(statement))),
    );
  return results.map(({ rows }) => rows) as never;
}
