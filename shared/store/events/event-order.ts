import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Position } from '../../core/cursor.ts';
import type { DomainId, EventId } from '../../core/ids.ts';
import type { StoredEvent } from '../../core/webhooks/delivery.ts';
import { currentMark, type Mark, readCommitted } from '../commit-order.ts';
import { LISTED } from '../row-values.ts';
import type { Scope } from '../scope.ts';
import type { Store } from '../store.ts';
import { type EventFilter, eventOf } from './events.ts';

export type EventPosition = Position & { id: EventId };

/** A range of events: committed between two marks, and after a position in the list. */
export interface EventRange {
  /** Null if the range has no lower mark. */
  since: Mark | null;
  /** Null if the range has no upper mark. */
  until: Mark | null;
  after: Position | null;
}

/**
 * Returns the positions of the events in a range, oldest first, and the current mark. Events of one domain stay in order, also from one
 * range to the next, because a transaction locks the domain until it commits.
 */
export async function eventPositions(
  store: Store,
  { app_id, mode }: Scope,
  { since, until, after }: EventRange,
  limit: number,
): Promise<{ now: Mark; rows: EventPosition[] }> {
  const columns = sql`select created_at, id from events where app_id = ${app_id} and mode = ${mode}`;
  const isAfter = after === null ? sql`true` : sql`(created_at, id) > (${after.created_at}, ${after.id})`;
  const rest = sql`${isAfter} order by created_at, id limit ${limit}`;
  if (since !== null) {
    const select = (where: RawBuilder<SqlBool>) => sql`${columns} and ${where}`;
    return readCommitted<EventPosition>(store, 'events', { since, until }, select, sql`where ${rest}`);
  }
  const isWithin = store.flags.commits.within(until?.snapshot ?? null);
  const read = sql<EventPosition>`${columns} and ${LISTED} and ${isWithin} and ${rest}`;
  const { rows } = await read.execute(store.db);
  return { now: await currentMark(store, 'events'), rows };
}

/** Returns the events with these ids that match the filter, oldest first. */
export async function eventsById(
  store: Store,
  scope: Scope,
  ids: readonly EventId[],
  filter: EventFilter,
): Promise<StoredEvent[]> {
  if (ids.length === 0) return [];
  let query = store.db
    .selectFrom('events')
    .selectAll()
    .where('id', 'in', ids)
    .where('app_id', '=', scope.app_id)
    .where('mode', '=', scope.mode);
  if (filter.domain_id) query = query.where('domain_id', '=', filter.domain_id as DomainId);
  if (filter.type) query = query.where('type', '=', filter.type);
  const rows = await query.orderBy('created_at').orderBy('id').execute();
  return rows.map(eventOf);
}
