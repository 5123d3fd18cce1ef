import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { AppId } from '../../core/ids.ts';
import type { Scope } from '../scope.ts';
import type { Store, Tx } from '../store.ts';

/**
 * Returns apps, after a given app and sorted by id, with a secret that is not encrypted with the given key. An encrypted text starts with
 * the id of its key and a dot.
 */
export async function appsNotSealedUnder(
  store: Store,
  keyId: string,
  limit: number,
  after = '',
): Promise<AppId[]> {
  const rows = await store.db
    .selectFrom('apps')
    .select('id')
    .where('id', '>', after as AppId)
    .where(isNotSealedUnder(keyId, 'signing_secret', 'previous_signing_secret'))
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** The stored response of an Idempotency-Key. */
export interface SealedAnswer extends Scope {
  key: string;
  body: string;
}

/**
 * Returns responses that are not encrypted with the given key. They are sorted by the primary key, so that none is read twice.
 * @param after the last response of the previous batch.
 */
export async function answersNotSealedUnder(
  store: Store,
  keyId: string,
  limit: number,
  after: Pick<SealedAnswer, 'app_id' | 'mode' | 'key'> | null = null,
): Promise<SealedAnswer[]> {
  let query = store.db
    .selectFrom('idempotency')
    .select(['app_id', 'mode', 'key', 'body'])
    .where(isNotSealedUnder(keyId, 'body'));
  if (after !== null) {
    query = query.where((eb) =>
      eb(eb.refTuple('app_id', 'mode', 'key'), '>', eb.tuple(after.app_id, after.mode, after.key)),
    );
  }
  const rows = await query.orderBy('app_id').orderBy('mode').orderBy('key').limit(limit).execute();
  return rows.map((row) => ({ ...row, body: row.body ?? '' }));
}

/** Replaces the encrypted body of a response, unless the response has changed since it was read. */
export async function resealAnswer(tx: Tx, answer: SealedAnswer, body: string): Promise<void> {
  await tx.db
    .updateTable('idempotency')
    .set({ body })
    .where((eb) => eb.and({ app_id: answer.app_id, mode: answer.mode, key: answer.key, body: answer.body }))
    .execute();
}

/**
 * Returns a condition that selects rows in which another key encrypts one of the columns. In ASCII, `/` follows the dot of `<key id>.`.
 * LIKE would ignore case in SQLite.
 */
export function isNotSealedUnder(keyId: string, ...columns: readonly string[]): RawBuilder<SqlBool> {
  const outside = columns.map((name) => {
    const text = sql.ref(name);
    return sql`${text} < ${`${keyId}.`} or ${text} >= ${`${keyId}/`}`;
  });
  return sql`(${sql.join(outside, sql` or `)})`;
}
