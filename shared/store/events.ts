import { sql } from 'kysely';
import type { StoredEvent } from '../core/delivery.ts';
import type { EventType } from '../core/event.ts';
import type { AppId, DomainId, EventId } from '../core/ids.ts';
import { olderThan, type Page, type PageRequest, toPage } from './page.ts';
import { rowList, updateRows } from './row-list.ts';
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

/** The heads of many lanes. Domains without anything pending are left out. */
export async function firstPendingEvents(
  store: Store,
  domain_ids: readonly DomainId[],
): Promise<Map<DomainId, StoredEvent>> {
  if (domain_ids.length === 0) return new Map();
  const given = rowList(
    store,
    { domain_id: 'text' },
    domain_ids.map((domain_id) => ({ domain_id })),
  );
  const { rows } = await sql<EventRow>`
    select events.* from ${given} join events on events.id = (
      select id from events pending
      where pending.domain_id = given.domain_id and pending.delivery_status = 'pending' order by seq limit 1
    )`.execute(store.db);
  return new Map(rows.map((row) => [row.domain_id as DomainId, fromRow(row)]));
}

/** The events as they are now, for the worker that holds their lanes' leases: only what delivering changes is read. */
export async function refreshEvents(
  store: Store,
  events: readonly StoredEvent[],
): Promise<Map<EventId, StoredEvent>> {
  const read = await store.db
    .selectFrom('events')
    .select(['id', ...DELIVERY_FIELDS])
    .where('id', 'in', sql<string>`(select id from ${rowList(store, { id: 'text' }, events)})`)
    .execute();
  const now = new Map<string, (typeof read)[number]>(read.map((row) => [row.id, row]));
  return new Map(events.map((event) => [event.id, { ...event, ...now.get(event.id), id: event.id }]));
}

/** For the worker that holds the lane's lease, which is what guards the event's delivery fields. */
export async function getEvent(store: Store, id: EventId): Promise<StoredEvent> {
  return fromRow(
    await store.db.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  );
}

/** @param changes all of the same fields. */
export async function updateEventDeliveries(
  store: Store,
  changes: readonly EventDeliveryChange[],
): Promise<void> {
  const columns = Object.fromEntries(
    Object.keys(changes[0] ?? {}).map((name) => [name, TEXTS.includes(name) ? 'text' : 'bigint'] as const),
  );
  await updateRows(store, 'events', ['id'], columns, changes);
}

const DELIVERY_FIELDS = [
  'delivery_status',
  'attempts',
  'tries',
  'first_attempt_at',
  'last_status_code',
  'last_error',
  'last_attempt_at',
  'next_attempt_at',
] as const;
const TEXTS: readonly string[] = ['id', 'delivery_status', 'last_error'];

export type EventDeliveryChange = Pick<StoredEvent, 'id'> &
  Partial<Pick<StoredEvent, (typeof DELIVERY_FIELDS)[number]>>;

/** The app no longer has a webhook URL: nothing waits any more, of these domains where they are given. */
export async function endPendingEvents(
  store: Store,
  app_id: AppId,
  domain_ids?: readonly DomainId[],
): Promise<void> {
  const ended = store.db
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
    .where('delivery_status', '=', PENDING);
  await (domain_ids === undefined ? ended : ended.where('domain_id', 'in', domain_ids)).execute();
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
