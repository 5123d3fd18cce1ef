import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '../core/instant.ts';
import { updateRows } from './row-list.ts';
import { DELETED, PENDING } from './row-values.ts';
import type { Tx } from './store.ts';

/** Maximum number of rows that one statement deletes, so that no statement holds locks for long. */
const BATCH = 1000;
/** Maximum number of domains that one statement deletes. It is smaller than `BATCH`, because a domain's row is in many indexes. */
const DOMAINS = 100;

export interface PruneBefore {
  idempotency: Instant;
  /**
   * Deletes events whose delivery ended before this, with their deliveries. Also applies to revoked keys, and to deleted domains without
   * events.
   */
  events: Instant;
  /** Deletes certificates that expired before this. */
  certificates: Instant;
  /** Deletes the rows of edge values that were deleted before this. */
  edgeValues: Instant;
  /** Deletes rate windows that were last used before this. This time is at least as long ago as the longest window. */
  rate_windows: Instant;
  /** Deletes mail addresses that were entered before this and never confirmed. */
  unconfirmedMail: Instant;
  /** Deletes sign-in links that expired before this. */
  signInLinks: Instant;
  /** Deletes sign-in challenges that expired before this. */
  signInChallenges: Instant;
  /** Deletes sessions that were last used before this. */
  sessions: Instant;
  /** Deletes traffic of hours, or of days, that began before this. */
  trafficHours: Instant;
  trafficDays: Instant;
  /** Deletes the records of processes that last wrote traffic before this. No process repeats such an old write. */
  trafficWriters: Instant;
  /** Deletes billing events that arrived before this. The provider does not repeat such old events. */
  billing_events: Instant;
}

/**
 * Deletes one batch of rows that are past their retention, the oldest first. Once no such rows are left, deletes old rate
 * windows.
 * @returns whether more rows may be left.
 */
export async function prune(tx: Tx, before: PruneBefore): Promise<boolean> {
  const deleted = [
    await deleteOldest(tx, 'idempotency', 'created_at', before.idempotency),
    await pruneEvents(tx, before.events),
    await deleteOldest(tx, 'api_keys', 'revoked_at', before.events),
    await deleteOldest(
      tx,
      'mail_subscriptions',
      'created_at',
      before.unconfirmedMail,
      sql`and confirmed_at is null`,
    ),
    await deleteOldest(tx, 'sign_in_links', 'expires_at', before.signInLinks),
    await deleteOldest(tx, 'sign_in_challenges', 'expires_at', before.signInChallenges),
    await deleteOldest(tx, 'sessions', 'last_seen_at', before.sessions),
    await deleteOldest(tx, 'billing_events', 'received_at', before.billing_events),
    await deleteOldest(tx, 'traffic', 'start', before.trafficHours, sql`and "interval" = 'hour'`),
    await deleteOldest(tx, 'traffic', 'start', before.trafficDays, sql`and "interval" = 'day'`),
    await deleteOldest(tx, 'certificates', 'not_after', before.certificates),
    await deleteOldest(tx, 'edge_values', 'deleted_at', before.edgeValues),
    await deleteOldest(tx, 'traffic_writers', 'written_at', before.trafficWriters),
  ];
  if (deleted.some((count) => count >= BATCH)) return true;
  if ((await pruneDomains(tx, before.events)) >= DOMAINS) return true;
  await pruneRateWindows(tx, before.rate_windows);
  return false;
}

/**
 * When the retention of an event begins: at its last attempt, or at its creation if there was no attempt. So an event that was delivered
 * late is stored for the full retention too. The index `events_age` contains this expression.
 */
export const EVENT_AGE = sql<Instant>`case when last_attempt_at > created_at then last_attempt_at else created_at end`;

/** Deletes one batch of events whose delivery has ended and that are past their retention, the oldest first. */
async function pruneEvents({ db }: Tx, before: Instant): Promise<number> {
  const ended = await db
    .selectFrom('events')
    .select('id')
    .where('delivery_status', '<>', PENDING)
    .where(EVENT_AGE, '<', before)
    .orderBy(EVENT_AGE)
    .limit(BATCH)
    .execute();
  const ids = ended.map(({ id }) => id);
  if (ids.length > 0) {
    await db.deleteFrom('deliveries').where('event_id', 'in', ids).execute();
    await db.deleteFrom('events').where('id', 'in', ids).execute();
  }
  return ids.length;
}

/**
 * Deletes rate windows without a recent use. Reads the whole table by its key. An index on `opened_at` would make each use more expensive,
 * because each use changes that column.
 */
async function pruneRateWindows({ db }: Tx, before: Instant): Promise<void> {
  for (let last = ''; ; ) {
    const rows = await db
      .selectFrom('rate_windows')
      .select(['name', 'opened_at'])
      .where('name', '>', last)
      .orderBy('name')
      .limit(BATCH)
      .execute();
    const names = rows.filter(({ opened_at }) => opened_at < before).map(({ name }) => name);
    // The second condition excludes a window that was used after this function read it.
    if (names.length > 0)
      await db
        .deleteFrom('rate_windows')
        .where('name', 'in', names)
        .where('opened_at', '<', before)
        .execute();
    const next = rows.at(-1);
    if (next === undefined || rows.length < BATCH) return;
    last = next.name;
  }
}

/**
 * Removes a batch of domains in the status `deleted` that have no events left, and their event queues. If a domain still has events, sets
 * its `updated_at` to the start of the retention of its newest event. So no call reads the domain again before this retention ends.
 * @returns the number of domains that were removed or got a new `updated_at`.
 */
async function pruneDomains(tx: Tx, before: Instant): Promise<number> {
  const { db } = tx;
  // A subquery finds the newest event of one domain in an index. With a join, the planner could read all events.
  const rows = await db
    .selectFrom('domains')
    .select((eb) => [
      'id',
      eb
        .selectFrom('events')
        .select(EVENT_AGE.as('age'))
        .whereRef('events.domain_id', '=', 'domains.id')
        .orderBy('seq', 'desc')
        .limit(1)
        .as('event_age'),
    ])
    .where('status', '=', DELETED)
    .where('updated_at', '<', before)
    .orderBy('updated_at')
    .orderBy('id')
    .limit(DOMAINS)
    .execute();
  const ids = rows.filter(({ event_age: age }) => age === null).map(({ id }) => id);
  if (ids.length > 0) {
    await db.deleteFrom('lanes').where('domain_id', 'in', ids).execute();
    await db.deleteFrom('domains').where('id', 'in', ids).execute();
  }
  const late = rows.flatMap(({ id, event_age: age }) =>
    age === null ? [] : [{ id, updated_at: Math.max(age, before) }],
  );
  await updateRows(tx, 'domains', ['id'], { id: 'text', updated_at: 'bigint' }, late);
  return rows.length;
}

type Pruned =
  | 'idempotency'
  | 'api_keys'
  | 'certificates'
  | 'edge_values'
  | 'mail_subscriptions'
  | 'sign_in_links'
  | 'sign_in_challenges'
  | 'sessions'
  | 'billing_events'
  | 'traffic'
  | 'traffic_writers';

/**
 * Deletes one batch of the oldest rows whose column `age` is before a given time. Identifies rows by their `ctid` or `rowid`, because with
 * a join by their key the planner could read the whole table.
 */
async function deleteOldest(
  { db, flags }: Tx,
  table: Pruned,
  age: string,
  before: Instant,
  and: RawBuilder<unknown> = sql``,
): Promise<number> {
  const place = sql.ref(flags.rowLocks ? 'ctid' : 'rowid');
  const oldest = sql`select ${place} from ${sql.table(table)}
    where ${sql.ref(age)} < ${before} ${and} order by ${sql.ref(age)} limit ${BATCH}`;
  const chosen = flags.rowLocks ? sql`${place} = any(array(${oldest}))` : sql`${place} in (${oldest})`;
  const result = await sql`delete from ${sql.table(table)} where ${chosen}`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}
