import type { StoredEvent } from '../core/delivery.ts';
import type { EventType } from '../core/event.ts';
import type { AppId, DomainId, EventId } from '../core/ids.ts';
import { olderThan, type Page, type PageRequest, toPage } from './page.ts';
import { ONE, PENDING } from './row-values.ts';
import type { Scope } from './scope.ts';
import type { Store } from './store.ts';
import type { EventRow } from './tables.ts';

export async function insertEvent(store: Store, event: StoredEvent): Promise<void> {
  await store.db.insertInto('events').values(event).execute();
}

export async function findEvent(store: Store, scope: Scope, id: string): Promise<StoredEvent | null> {
  const row = await store.db
    .selectFrom('events')
    .selectAll()
    .where('id', '=', id)
    .where('app_id', '=', scope.app_id)
    .where('mode', '=', scope.mode)
    .executeTakeFirst();
  return row ? fromRow(row) : null;
}

export interface EventFilter {
  domain_id?: string | undefined;
  type?: EventType | undefined;
}

export async function listEvents(
  store: Store,
  scope: Scope,
  filter: EventFilter,
  page: PageRequest,
): Promise<Page<StoredEvent>> {
  let query = store.db
    .selectFrom('events')
    .selectAll()
    .where('app_id', '=', scope.app_id)
    .where('mode', '=', scope.mode);
  if (filter.domain_id) query = query.where('domain_id', '=', filter.domain_id);
  if (filter.type) query = query.where('type', '=', filter.type);
  const after = page.after;
  if (after) query = query.where((eb) => olderThan(eb, after));
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute();
  return toPage(rows.map(fromRow), page.limit);
}

/** The head of a domain's lane: what has to be delivered next. */
export async function firstPendingEvent(store: Store, domain_id: DomainId): Promise<StoredEvent | null> {
  const row = await store.db
    .selectFrom('events')
    .selectAll()
    .where('domain_id', '=', domain_id)
    .where('delivery_status', '=', PENDING)
    .orderBy('seq')
    .limit(ONE)
    .executeTakeFirst();
  return row ? fromRow(row) : null;
}

/** For the worker that holds the lane's lease, which is what guards the event's delivery fields. */
export async function getEvent(store: Store, id: EventId): Promise<StoredEvent> {
  return fromRow(
    await store.db.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  );
}

export async function updateEventDelivery(
  store: Store,
  id: EventId,
  change: EventDeliveryChange,
): Promise<void> {
  await store.db.updateTable('events').set(change).where('id', '=', id).execute();
}

export type EventDeliveryChange = Partial<
  Pick<
    StoredEvent,
    | 'delivery_status'
    | 'attempts'
    | 'tries'
    | 'first_attempt_at'
    | 'last_status_code'
    | 'last_error'
    | 'last_attempt_at'
    | 'next_attempt_at'
  >
>;

/** The app no longer has a webhook URL: nothing waits any more. */
export async function endPendingEvents(store: Store, app_id: AppId): Promise<void> {
  await store.db
    .updateTable('events')
    .set((eb) => ({
      delivery_status: eb
        .case()
        .when('attempts', '=', 0)
        .then('none' as const)
        .else('failed' as const)
        .end(),
      next_attempt_at: null,
    }))
    .where('app_id', '=', app_id)
    .where('delivery_status', '=', PENDING)
    .execute();
}

function fromRow(row: EventRow): StoredEvent {
  return {
    ...row,
    id: row.id as EventId,
    domain_id: row.domain_id as DomainId,
    app_id: row.app_id as AppId,
    type: row.type as EventType,
  };
}
