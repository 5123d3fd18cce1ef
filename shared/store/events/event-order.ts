import type { Position } from '../../core/cursor.ts';
import type { EventId } from '../../core/ids.ts';
import type { StoredEvent } from '../../core/webhooks/delivery.ts';
import { LISTED } from '../row-values.ts';
import type { Scope } from '../scope.ts';
import type { Store } from '../store.ts';
import { type EventFilter, eventOf } from './events.ts';

/** Returns the positions of the events after a position, oldest first. Reads only the index, so that repeated calls are cheap. */
export async function eventPositionsAfter(
  store: Store,
  scope: Scope,
  after: Position,
  limit: number,
): Promise<(Position & { id: EventId })[]> {
  const rows = await store.db
    .selectFrom('events')
    .select(['created_at', 'id'])
    .where('app_id', '=', scope.app_id)
    .where('mode', '=', scope.mode)
    .where(LISTED)
    .where((eb) => eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(after.created_at, after.id)))
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ created_at, id }) => ({ created_at, id: id as EventId }));
}

/** Returns the position of the newest event, or null if there is none. */
export async function newestEventPosition(
  store: Store,
  scope: Scope,
): Promise<(Position & { id: EventId }) | null> {
  const row = await store.db
    .selectFrom('events')
    .select(['created_at', 'id'])
    .where('app_id', '=', scope.app_id)
    .where('mode', '=', scope.mode)
    .where(LISTED)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? { created_at: row.created_at, id: row.id as EventId } : null;
}

/** Returns those of the given events that match the filter, oldest first. */
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
  if (filter.domain_id) query = query.where('domain_id', '=', filter.domain_id);
  if (filter.type) query = query.where('type', '=', filter.type);
  const rows = await query.orderBy('created_at').orderBy('id').execute();
  return rows.map(eventOf);
}
