import type { CompiledQuery, QueryResult } from 'kysely';
import type { Store } from './store.ts';

/** A statement that has not run yet. */
export type Statement<Row = unknown> = CompiledQuery<Row>;

/**
 * Sends several statements in one round trip, if none needs the result of another. The database runs them one after the other in the given
 * order. Call this within a transaction.
 * @returns the rows of each statement.
 * @throws the error of the first statement that failed. In Postgres, the statements after it then fail too.
 */
export async function runTogether<Statements extends readonly Statement[]>(
  store: Store,
  ...statements: Statements
): Promise<{ [I in keyof Statements]: Statements[I] extends Statement<infer Row> ? Row[] : never }> {
  if (statements.length === 0) return [] as never;
  const { done } = await startTogether(store, statements);
  return (await done).map(({ rows }) => rows) as never;
}

/** Sends statements in one round trip. Resolves once they are sent. @returns an object whose promise `done` resolves with the results. */
export async function startTogether(
  store: Store,
  statements: readonly Statement[],
): Promise<{ done: Promise<QueryResult<unknown>[]> }> {
  const sent = Promise.withResolvers<void>();
  const done = store.db.getExecutor().provideConnection((connection) => {
    const results = Promise.allSettled(statements.map((statement) => connection.executeQuery(statement)));
    sent.resolve();
    return results.then((settled) => settled.map(resultOf));
  });
  done.catch(sent.reject);
  await sent.promise;
  return { done };
}

function resultOf<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
