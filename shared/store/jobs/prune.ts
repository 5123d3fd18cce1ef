import { type RawBuilder, sql } from 'kysely';
import type { Instant } from '../../core/instant.ts';
import { DELETED, PENDING } from '../row-values.ts';
import type { Store } from '../store.ts';

/** Maximum number of rows that one statement deletes, so that none holds locks for long. */
const BATCH = 1000;

export interface PruneBefore {
  idempotency: Instant;
  /**
   * Limit for events, by the end of their delivery, and for their deliveries. It also applies to revoked keys, and to deleted domains
   * without events.
   */
  events: Instant;
  /** Limit for rate windows. It is at least as long ago as the longest window. */
  rate_windows: Instant;
  /** Limit for addresses that were never confirmed. */
  unconfirmedMail: Instant;
  /** Limit for sign-in links, by their expiry. */
  signInLinks: Instant;
  /** Limit for sign-in challenges, by their expiry. */
  signInChallenges: Instant;
  /** Limit for sessions, by their last use. */
  sessions: Instant;
  /** Limits for traffic, by the start of the hour or day. */
  trafficHours: Instant;
  trafficDays: Instant;
  /** Limit for the processes that count traffic, by their last write. It is longer ago than one may repeat a write. */
  trafficWriters: Instant;
  /** Limit for billing events. It is longer ago than the provider may repeat an event. */
  billing_events: Instant;
}

/** Deletes one batch of rows that are past their retention. @returns whether there may be more. */
export async function prune(store: Store, before: PruneBefore): Promise<boolean> {
  const deleted = [
    await deleteSome(
      store,
      'idempotency',
      ['app_id', 'mode', 'key'],
      sql`created_at < ${before.idempotency}`,
    ),
    await pruneEvents(store, before.events),
    await pruneDomains(store, before.events),
    await deleteSome(store, 'api_keys', ['id'], sql`revoked_at < ${before.events}`),
    await deleteSome(store, 'rate_windows', ['name'], sql`opened_at < ${before.rate_windows}`),
    await deleteSome(
      store,
      'mail_subscriptions',
      ['id'],
      sql`confirmed_at is null and created_at < ${before.unconfirmedMail}`,
    ),
    await deleteSome(store, 'sign_in_links', ['id'], sql`expires_at < ${before.signInLinks}`),
    await deleteSome(store, 'sign_in_challenges', ['hash'], sql`expires_at < ${before.signInChallenges}`),
    await deleteSome(store, 'sessions', ['id'], sql`last_seen_at < ${before.sessions}`),
    await deleteSome(store, 'billing_events', ['id'], sql`received_at < ${before.billing_events}`),
    await deleteSome(
      store,
      'traffic',
      TRAFFIC_KEY,
      sql`"interval" = 'hour' and start < ${before.trafficHours}`,
    ),
    await deleteSome(
      store,
      'traffic',
      TRAFFIC_KEY,
      sql`"interval" = 'day' and start < ${before.trafficDays}`,
    ),
    await deleteSome(store, 'traffic_writers', ['id'], sql`written_at < ${before.trafficWriters}`),
  ];
  return deleted.some((count) => count >= BATCH);
}

/**
 * Deletes events past their retention. It counts from the last attempt, not from the event's creation, so that late deliveries are kept as
 * long as others.
 */
async function pruneEvents({ db }: Store, before: Instant): Promise<number> {
  const ended = await db
    .selectFrom('events')
    .select('id')
    .where('delivery_status', '<>', PENDING)
    .where('created_at', '<', before)
    .where((eb) => eb.or([eb('last_attempt_at', 'is', null), eb('last_attempt_at', '<', before)]))
    .limit(BATCH)
    .execute();
  const ids = ended.map(({ id }) => id);
  if (ids.length > 0) {
    await db.deleteFrom('deliveries').where('event_id', 'in', ids).execute();
    await db.deleteFrom('events').where('id', 'in', ids).execute();
  }
  return ids.length;
}

/** Deletes the rows of deleted domains that have no events left, and the lanes of these domains. */
async function pruneDomains({ db }: Store, before: Instant): Promise<number> {
  const gone = await db
    .selectFrom('domains')
    .select('id')
    .where('status', '=', DELETED)
    .where('updated_at', '<', before)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('events').select('events.id').whereRef('events.domain_id', '=', 'domains.id'),
        ),
      ),
    )
    .limit(BATCH)
    .execute();
  const ids = gone.map(({ id }) => id);
  if (ids.length > 0) {
    await db.deleteFrom('lanes').where('domain_id', 'in', ids).execute();
    await db.deleteFrom('domains').where('id', 'in', ids).execute();
  }
  return ids.length;
}

type Pruned =
  | 'idempotency'
  | 'api_keys'
  | 'rate_windows'
  | 'mail_subscriptions'
  | 'sign_in_links'
  | 'sign_in_challenges'
  | 'sessions'
  | 'billing_events'
  | 'traffic'
  | 'traffic_writers';

const TRAFFIC_KEY = ['subject_id', 'mode', 'interval', 'start'];

async function deleteSome(
  { db }: Store,
  table: Pruned,
  key: readonly string[],
  where: RawBuilder<unknown>,
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const result = await sql`
    delete from ${sql.table(table)} where (${columns}) in (
      select ${columns} from ${sql.table(table)} where ${where} limit ${BATCH})`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}
