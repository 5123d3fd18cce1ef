import { type RawBuilder, sql } from 'kysely';
import type { EdgeVersion, SealedValue } from '../../core/edge/edge-value.ts';
import type { Instant } from '../../core/instant.ts';
import { type CommitRange, type Mark, readCommitted, resetRestored } from '../commit-order.ts';
import { isOneOf } from '../row-list.ts';
import type { Store, Tx } from '../store.ts';

/**
 * The table of all values that edges serve from (`decisions/0101`). A deleted value stays as a row without a value, so that an edge which
 * was away learns of the deletion.
 */

/**
 * Locks keys until the transaction ends, so that two transactions which change the facts of one key derive its value one after the other.
 * The keys need no rows. Call this before the facts are read.
 */
export async function lockEdgeKeys({ db, flags }: Tx, keys: readonly string[]): Promise<void> {
  if (!flags.rowLocks) return;
  const sorted = JSON.stringify(keys.toSorted());
  await sql`select pg_advisory_xact_lock(hashtextextended(key, 4500450146)) from json_array_elements_text(${sorted}::json) key`.execute(
    db,
  );
}

/** Returns the stored values of these keys. */
export async function findEdgeValues(
  store: Store,
  keys: readonly string[],
): Promise<Map<string, SealedValue>> {
  const rows = await store.db
    .selectFrom('edge_values')
    .select(['key', 'epoch', 'number', 'value'])
    .where(isOneOf(store, 'key', keys))
    .execute();
  return new Map(rows.map((row) => [row.key, row]));
}

/**
 * Returns the stored values of these keys, and the epoch in which this database writes values. The epoch is null if another database wrote
 * the last values, or if there are none yet: `claimEpoch` then begins an epoch.
 */
export async function findPublished(
  store: Store,
  keys: readonly string[],
): Promise<{ stored: Map<string, SealedValue>; epoch: number | null }> {
  const { rows } = await sql<SealedValue>`
    select key, epoch, number, value from edge_values where ${isOneOf(store, 'key', keys)}
    union all select '', epoch, 0, null from edge_source where server = ${serverOf(store)}`.execute(store.db);
  const stored = new Map(rows.map((row) => [row.key, row]));
  const epoch = stored.get('')?.epoch ?? null;
  stored.delete('');
  return { stored, epoch };
}

/** Stores values. Their keys must be locked. */
export async function saveEdgeValues(tx: Tx, values: readonly SealedValue[], now: Instant): Promise<void> {
  if (values.length === 0) return;
  const { rowLocks } = tx.flags;
  await tx.db
    .insertInto('edge_values')
    .values(values.map((each) => ({ ...each, deleted_at: each.value === null ? now : null })))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet(({ ref }) => ({
        epoch: ref('excluded.epoch'),
        number: ref('excluded.number'),
        value: ref('excluded.value'),
        deleted_at: ref('excluded.deleted_at'),
        ...(rowLocks ? { xid: sql<string>`pg_current_xact_id()` } : {}),
      })),
    )
    .execute();
}

/** A page of changed values in the order of their keys. */
export interface EdgeChanges {
  now: Mark;
  rows: SealedValue[];
}

/** Lists the values that changed in a range of commits, in the order of their keys. @param after the last key of the page before. */
export async function listEdgeChanges(
  store: Store,
  range: CommitRange,
  { after, limit }: { after: string; limit: number },
): Promise<EdgeChanges> {
  return readCommitted<SealedValue>(
    store,
    'edge_values',
    range,
    (where) => sql`select key, epoch, number, value from edge_values where ${where}`,
    // The expression keeps Postgres from reading the table in the order of its key, which would read every row.
    sql`where key || '' > ${after} order by key || '' limit ${limit}`,
  );
}

/** Returns the id of the key that seals the newest value. Null if there is no value. Needs Postgres. */
export async function findNewestEdgeKey({ db }: Store): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select convert_from(${KEY_ID}, 'utf8') as id from edge_values where value is not null
    order by xid desc limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

/**
 * Lists the ids of the keys under which values are sealed. Jumps from key to key along the index, so the cost does not depend on the number
 * of values. Needs Postgres.
 */
export async function listEdgeKeys({ db }: Store): Promise<string[]> {
  const from = (after: RawBuilder<unknown>) =>
    sql`select ${KEY_ID} as id from edge_values where value is not null and ${KEY_ID} > ${after} order by 1 limit 1`;
  const { rows } = await sql<{ id: string }>`
    with recursive keys as (
      (${from(sql`''::bytea`)}) union all
      select following.id from keys cross join lateral (${from(sql`keys.id`)}) following
    ) select convert_from(id, 'utf8') as id from keys`.execute(db);
  return rows.map(({ id }) => id);
}

/** The id of the key in the head of a value (`createValueBox`). */
const KEY_ID = sql`substring(value from 3 for get_byte(value, 1))`;

/** Counts the values that are sealed under each key. Reads the whole table. Needs Postgres. */
export async function countEdgeKeys({ db }: Store): Promise<Record<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    select convert_from(${KEY_ID}, 'utf8') as id, count(*) as count
    from edge_values where value is not null group by 1 order by 1`.execute(db);
  return Object.fromEntries(rows.map(({ id, count }) => [id, Number(count)]));
}

/** Lists the versions of all values, in the order of their keys. */
export async function listEdgeVersions(
  { db }: Store,
  { after, limit }: { after: string; limit: number },
): Promise<(EdgeVersion & { key: string })[]> {
  return db
    .selectFrom('edge_values')
    .select(['key', 'epoch', 'number'])
    .where('key', '>', after)
    .orderBy('key')
    .limit(limit)
    .execute();
}

/** Lists values in the order of their keys. @param before the key at which the list ends; absent for no end. */
export async function listEdgeValues(
  { db }: Store,
  { after, before, limit }: { after: string; before?: string | undefined; limit: number },
): Promise<SealedValue[]> {
  const query = db
    .selectFrom('edge_values')
    .select(['key', 'epoch', 'number', 'value'])
    .where('key', '>', after)
    .orderBy('key')
    .limit(limit);
  return (before === undefined ? query : query.where('key', '<', before)).execute();
}

export interface DeletedValue extends SealedValue {
  deleted_at: Instant | null;
}

/**
 * Lists deletions from a time on, sorted by `deleted_at` and by key.
 * @param after the last key of the page before, whose value was deleted at `since`.
 */
export async function listEdgeDeletions(
  { db }: Store,
  { since, after, limit }: { since: Instant; after: string; limit: number },
): Promise<DeletedValue[]> {
  return db
    .selectFrom('edge_values')
    .select(['key', 'epoch', 'number', 'value', 'deleted_at'])
    .where('deleted_at', '>=', since)
    .where(({ eb, or }) => or([eb('deleted_at', '>', since), eb('key', '>', after)]))
    .orderBy('deleted_at')
    .orderBy('key')
    .limit(limit)
    .execute();
}

/** Returns the id of the installation. Null until its first value is written. */
export async function findInstallation({ db }: Store): Promise<string | null> {
  const row = await db.selectFrom('edge_source').select('installation').executeTakeFirst();
  return row?.installation ?? null;
}

/**
 * Returns the epoch in which this transaction writes values. Raises the epoch if another database wrote the last values: the one from which
 * a dump was restored, or the one that a promoted standby replaced. Edges may have values that this database has lost, with higher numbers.
 * @param installation the id for a new installation.
 */
export async function claimEpoch(tx: Tx, installation: string): Promise<number> {
  const { db, flags } = tx;
  const server = serverOf(tx);
  const finding = db
    .selectFrom('edge_source')
    .select(['epoch', sql<boolean>`server = ${server}`.as('is_same')]);
  const found = await finding.executeTakeFirst();
  if (found?.is_same) return found.epoch;
  // Only the transaction that raises the epoch resets rows, so that two of them do not wait for each other's rows.
  const locked = await (flags.rowLocks ? finding.forUpdate() : finding).executeTakeFirst();
  if (locked?.is_same) return locked.epoch;
  if (locked !== undefined) await resetRestored(tx);
  const { epoch } = await db
    .insertInto('edge_source')
    .values({ id: 1, installation, epoch: 1, server })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(({ ref }) => ({
        server: ref('excluded.server'),
        // If another transaction has raised the epoch meanwhile, this one writes in the same epoch.
        epoch: sql<number>`case when edge_source.server = ${ref('excluded.server')} then edge_source.epoch else edge_source.epoch + 1 end`,
      })),
    )
    .returning('epoch')
    .executeTakeFirstOrThrow();
  return epoch;
}

/**
 * Identifies the database and its line of history: a dump that is restored in another or in the same database has other oids, and a
 * promoted standby has another timeline.
 */
const serverOf = ({ flags }: Store) => (flags.rowLocks ? SERVER : sql<string>`'sqlite'`);
const SERVER = sql<string>`(select system_identifier || ' ' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) || ' ' ||
  (select oid from pg_database where datname = current_database()) || ' ' || 'edge_source'::regclass::oid
  from pg_control_system())`;
