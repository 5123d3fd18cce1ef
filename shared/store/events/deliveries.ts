import { sql } from 'kysely';
import type { EventId } from '../../core/ids.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Delivery } from '../../core/webhooks/delivery.ts';
import { isOneOf, rowList } from '../row-list.ts';
import { rowMapper } from '../row-values.ts';
import type { Statement } from '../run-together.ts';
import type { Store, Tx } from '../store.ts';

/**
 * Returns the statement that inserts new attempts and stores the outcome of attempts that have ended. Returns no statement if there are no
 * attempts.
 */
export function deliveriesWrite(tx: Tx, deliveries: readonly Delivery[]): Statement[] {
  if (deliveries.length === 0) return [];
  const names = sql.join(Object.keys(COLUMNS).map((name) => sql.ref(name)));
  const outcome = OUTCOME.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`);
  // Without `where true`, SQLite would take the `on` for part of a join.
  const write = sql`
    insert into deliveries (${names})
    select ${names} from ${rowList(tx, COLUMNS, deliveries.map(toRow))} where true
    on conflict (id) do update set ${sql.join(outcome)}`;
  return [write.compile(tx.db)];
}

/**
 * Returns the automatic attempts of these events that workers began but did not finish, because they crashed: at most one for each event.
 */
export async function findUnfinishedDeliveries(
  store: Store,
  eventIds: readonly EventId[],
): Promise<Map<EventId, Delivery>> {
  if (eventIds.length === 0) return new Map();
  const rows = await store.db
    .selectFrom('deliveries')
    .selectAll()
    .where(isOneOf(store, 'event_id', eventIds))
    .where('finished', '=', sql.lit(0))
    .where('automatic', '=', sql.lit(1))
    .orderBy('attempt')
    .execute();
  return new Map(rows.map((row) => [row.event_id, fromRow(row)]));
}

const OUTCOME = [
  'finished',
  'status_code',
  'response_ms',
  'error',
  'delivered_at',
  'next_attempt_at',
  'response_headers',
  'response_body',
] as const;
const COLUMNS = {
  id: 'text',
  event_id: 'text',
  app_id: 'text',
  attempt: 'bigint',
  automatic: 'bigint',
  finished: 'bigint',
  status_code: 'bigint',
  response_ms: 'bigint',
  error: 'text',
  delivered_at: 'bigint',
  next_attempt_at: 'bigint',
  created_at: 'bigint',
  response_headers: 'text',
  response_body: 'text',
} as const;

/** Lists the deliveries of an event, newest first, at most 50 (`docs/api.md#event`). */
export async function listDeliveries(store: Store, eventId: EventId): Promise<Delivery[]> {
  const rows = await store.db
    .selectFrom('deliveries')
    .selectAll()
    .where('event_id', '=', eventId)
    .orderBy('attempt', 'desc')
    .limit(LIMITS.deliveries_per_event_max)
    .execute();
  return rows.map(fromRow);
}

const { toRow, fromRow } = rowMapper<Delivery>({
  automatic: 'flag',
  finished: 'flag',
  response_headers: 'json',
});
