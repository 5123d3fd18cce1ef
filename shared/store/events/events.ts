import { type SqlBool, sql } from 'kysely';
import type { DomainId, EventId, LeaseId } from '../../core/ids.ts';
import type { StoredEvent } from '../../core/webhooks/delivery.ts';
import type { EventType } from '../../core/webhooks/event.ts';
import { compileOnce } from '../compile-once.ts';
import { type ListFilter, readFilteredPage } from '../ordered-walk.ts';
import type { PageRequest, RowPage } from '../page.ts';
import { rowList, rowsUpdate } from '../row-list.ts';
import { LISTED, PENDING } from '../row-values.ts';
import type { Statement } from '../run-together.ts';
import type { Scope } from '../scope.ts';
import type { Store, Tx } from '../store.ts';

/** Returns the statement that inserts an event. */
export const eventInsert: (tx: Tx, event: StoredEvent) => Statement = compileOnce((tx, event) =>
  tx.db.insertInto('events').values(event).compile(),
);

export async function findEvent(store: Store, scope: Scope, id: string): Promise<StoredEvent | null> {
  const row = await store.db
    .selectFrom('events')
    .selectAll()
    .where('id', '=', id as EventId)
    .where('app_id', '=', scope.app_id)
    .where('mode', '=', scope.mode)
    .executeTakeFirst();
  return row ? eventOf(row) : null;
}

export interface EventFilter {
  domain_id?: string | undefined;
  type?: EventType | undefined;
  delivery?: StoredEvent['delivery_status'] | undefined;
}

export async function selectEvents(
  store: Store,
  scope: Scope,
  { domain_id, type, delivery }: EventFilter,
  page: PageRequest,
): Promise<RowPage<StoredEvent>> {
  const filters: ListFilter[] = [];
  if (domain_id) filters.push(withValue(scope, 'domain_id', domain_id));
  if (type) filters.push(withValue(scope, 'type', type));
  if (delivery) filters.push(withValue(scope, 'delivery_status', delivery));
  const [first = allOf(scope), ...others] = filters;
  const { rows, next } = await readFilteredPage(store, 'events', [first, ...others], page);
  return { rows: rows.map(eventOf), next };
}

function allOf(scope: Scope): ListFilter {
  return { ...IN_PAGE_ORDER, where: sql`${inScope(scope)} and ${LISTED}`, passes: sql`true` };
}

function withValue(
  scope: Scope,
  column: 'domain_id' | 'type' | 'delivery_status',
  value: string,
): ListFilter {
  return {
    ...IN_PAGE_ORDER,
    where: sql`${inScope(scope)} and ${sql.ref(column)} = ${value}`,
    passes: sql`(select 1 from events e where e.id = walked.id and ${sql.ref(`e.${column}`)} = ${value}) = 1`,
  };
}

function inScope({ app_id, mode }: Scope) {
  return sql<SqlBool>`app_id = ${app_id} and mode = ${mode}`;
}

const IN_PAGE_ORDER = { table: 'events', idColumn: 'id', range: null } as const;

/**
 * Returns the first pending event of each lane (a domain's event queue), by domain. Skips events up to `after_seq`, whose delivery has
 * ended, and events with a `webhook_epoch` before `from_epoch`, which are cancelled. Leaves out lanes without a pending event.
 */
export async function firstPendingEvents(
  store: Store,
  lanes: readonly { domain_id: DomainId; after_seq: number; from_epoch: number }[],
): Promise<Map<DomainId, StoredEvent>> {
  if (lanes.length === 0) return new Map();
  const given = rowList(store, { domain_id: 'text', after_seq: 'bigint', from_epoch: 'bigint' }, lanes);
  const head = sql`
    from events pending
    where pending.domain_id = given.domain_id and pending.delivery_status = ${PENDING} and pending.seq > given.after_seq
      and pending.webhook_epoch >= given.from_epoch
    order by seq limit 1`;
  // Uses `lateral` if the database has it, because with a join Postgres may read the whole table instead of one row for each lane.
  const { rows } = await (store.flags.lateral
    ? sql<StoredEvent>`select head.* from ${given} cross join lateral (select * ${head}) head`
    : sql<StoredEvent>`select events.* from ${given} join events on events.id = (select id ${head})`
  ).execute(store.db);
  return new Map(rows.map((row) => [row.domain_id, eventOf(row)]));
}

/**
 * Locks the lanes (event queues of domains) of events that were sent, and returns the current rows of these events. An outcome is recorded
 * only while its lane is locked. Every transaction locks lanes in the order of their domains' ids, so that two transactions cannot
 * deadlock.
 * @returns the events by the id of the lease. Leaves out events whose worker lost the lease.
 */
export async function lockEventsUnderLease(
  store: Store,
  sent: readonly { domain_id: DomainId; lease_id: LeaseId; event: StoredEvent }[],
): Promise<Map<LeaseId, StoredEvent>> {
  const rows = sent.map(({ domain_id, lease_id, event }) => ({ domain_id, lease_id, event_id: event.id }));
  const given = rowList(store, { domain_id: 'text', lease_id: 'text', event_id: 'text' }, rows);
  const fields = DELIVERY_FIELDS.map((field) => sql.ref(`events.${field}`));
  const lock = store.flags.rowLocks ? sql`for update of lanes` : sql``;
  const held = await sql<DeliveryState & { lease_id: LeaseId }>`
    select given.lease_id, ${sql.join(fields)} from ${given}
    join lanes on lanes.domain_id = given.domain_id and lanes.lease_id = given.lease_id
    join events on events.id = given.event_id
    order by lanes.domain_id ${lock}`.execute(store.db);
  const states = new Map(held.rows.map(({ lease_id, ...state }) => [lease_id, state]));
  return new Map(
    sent.flatMap(({ lease_id, event }) => {
      const state = states.get(lease_id);
      return state === undefined ? [] : [[lease_id, { ...event, ...state }] as const];
    }),
  );
}

/** Returns an event by its id alone. Only for the worker that has leased the event queue of the event's domain. */
export async function getEventById(store: Store, id: EventId): Promise<StoredEvent> {
  return eventOf(
    await store.db.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  );
}

/** Returns the statement that writes the delivery state of events; no statement if there are no events. */
export function eventDeliveriesUpdate(
  tx: Tx,
  events: readonly (Pick<StoredEvent, 'id'> & DeliveryState)[],
): Statement[] {
  return rowsUpdate(tx, 'events', ['id'], DELIVERY_COLUMNS, events);
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
type DeliveryState = Pick<StoredEvent, (typeof DELIVERY_FIELDS)[number]>;
const DELIVERY_COLUMNS = {
  id: 'text',
  delivery_status: 'text',
  attempts: 'bigint',
  tries: 'bigint',
  first_attempt_at: 'bigint',
  last_status_code: 'bigint',
  last_error: 'text',
  last_attempt_at: 'bigint',
  next_attempt_at: 'bigint',
} as const;

/** Ends the deliveries that were cancelled because the apps of these domains cleared their webhook URL (`isCancelled`). */
export async function endCancelledEvents({ db }: Tx, domainIds: readonly DomainId[]): Promise<void> {
  if (domainIds.length === 0) return;
  const domains = sql.join(domainIds);
  await sql`
    update events set delivery_status = case when attempts = 0 then 'none' else 'failed' end, next_attempt_at = null
    where domain_id in (${domains}) and delivery_status = ${PENDING}
      and webhook_epoch < (select webhook_epoch from apps where apps.id = events.app_id)`.execute(db);
}

/** Returns a table row as an event. */
export function eventOf({ xid: _, ...event }: StoredEvent & { xid?: unknown }): StoredEvent {
  return event;
}
