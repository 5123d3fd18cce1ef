import { sql } from 'kysely';
import type { AppId, DomainId, LeaseId } from '../core/ids.ts';
import type { Instant } from '../core/instant.ts';
import { rowList, updateRows } from './row-list.ts';
import type { Store } from './store.ts';

/** A domain's queue of events, under a lease while somebody delivers from it. */
export interface LeasedLane {
  domain_id: DomainId;
  app_id: AppId;
  lease_id: LeaseId;
}

/** Makes sure that the domain has a lane: a redelivery takes its row even where nothing is due. */
export async function ensureLane(store: Store, domain_id: DomainId, app_id: AppId): Promise<void> {
  await store.db
    .insertInto('lanes')
    .values({ domain_id, app_id, due_at: null, lease_id: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Wakes the lane for a new event. One that is leased stays so: whoever records the attempt looks for what is next. */
export async function wakeLane(
  store: Store,
  domain_id: DomainId,
  app_id: AppId,
  due_at: Instant,
): Promise<void> {
  await store.db
    .insertInto('lanes')
    .values({ domain_id, app_id, due_at, lease_id: null })
    .onConflict((conflict) =>
      conflict.column('domain_id').doUpdateSet((eb) => ({
        due_at: eb
          .case()
          .when(eb.or([eb('lanes.lease_id', 'is not', null), eb('lanes.due_at', '<=', due_at)]))
          .then(eb.ref('lanes.due_at'))
          .else(due_at)
          .end(),
      })),
    )
    .execute();
}

export interface LaneClaim {
  now: Instant;
  lease_until: Instant;
  make_lease_id: () => LeaseId;
  /** Apps to take lanes from; the scan starts after this one, so that no app comes first every time. */
  apps_max: number;
  after_app_id: string;
  /** Lanes an app may have claimed in this round, by what it has in flight already. */
  room_of: (app_id: AppId) => number;
  lanes_max: number;
}

/**
 * Takes due lanes under a lease, fairly app by app: a skip-scan over (app_id, due_at) finds the apps with due work, then
 * each gives up to `room_of` lanes, as long as there are any to give. The cost depends on apps with work, not on the backlog (`docs/webhooks.md`).
 * Call it within a transaction.
 */
export async function claimLanes(store: Store, claim: LaneClaim): Promise<LeasedLane[]> {
  const rooms = (await dueApps(store, claim))
    .map((app_id) => ({ app_id, room: Math.min(claim.room_of(app_id), claim.lanes_max) }))
    .filter(({ room }) => room > 0);
  if (rooms.length === 0) return [];
  const lock = store.flags.row_locks ? sql`for update skip locked` : sql``;
  const due = rooms.map(
    ({ app_id, room }) => sql`
      select * from (
        select domain_id, app_id from lanes where app_id = ${app_id} and due_at <= ${claim.now}
        order by due_at, domain_id limit ${room} ${lock}
      ) due`,
  );
  const { rows } = await sql<Pick<LeasedLane, 'domain_id' | 'app_id'>>`
    ${sql.join(due, sql` union all `)} limit ${claim.lanes_max}`.execute(store.db);
  const leased = rows.map((lane) => ({ ...lane, lease_id: claim.make_lease_id() }));
  const due_at = claim.lease_until;
  await updateRows(
    store,
    'lanes',
    ['domain_id'],
    { domain_id: 'text', due_at: 'bigint', lease_id: 'text' },
    leased.map(({ domain_id, lease_id }) => ({ domain_id, due_at, lease_id })),
  );
  return leased;
}

/** Takes one lane whether it is due or not, for a redelivery. @returns false while somebody else holds it, or where there is none. */
export async function claimLane(
  store: Store,
  domain_id: DomainId,
  lease: { lease_id: LeaseId; lease_until: Instant; now: Instant },
): Promise<boolean> {
  const result = await store.db
    .updateTable('lanes')
    .set({ due_at: lease.lease_until, lease_id: lease.lease_id })
    .where('domain_id', '=', domain_id)
    .where((eb) => eb.or([eb('lease_id', 'is', null), eb('due_at', '<=', lease.now)]))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Whether the lease is still ours, with the lane's row locked: an outcome is recorded only under it. */
export async function holdsLane(
  store: Store,
  lane: Pick<LeasedLane, 'domain_id' | 'lease_id'>,
): Promise<boolean> {
  const query = store.db
    .selectFrom('lanes')
    .select('lease_id')
    .where('domain_id', '=', lane.domain_id)
    .where('lease_id', '=', lane.lease_id);
  const row = await (store.flags.row_locks ? query.forUpdate() : query).executeTakeFirst();
  return row !== undefined;
}

/** Gives lanes back, each due when its next event is. */
export async function releaseLanes(
  store: Store,
  lanes: readonly (Pick<LeasedLane, 'domain_id' | 'lease_id'> & { due_at: Instant | null })[],
): Promise<void> {
  if (lanes.length === 0) return;
  const columns = { domain_id: 'text', lease_id: 'text', due_at: 'bigint' } as const;
  await sql`
    update lanes set due_at = given.due_at, lease_id = null from ${rowList(store, columns, lanes)}
    where lanes.domain_id = given.domain_id and lanes.lease_id = given.lease_id`.execute(store.db);
}

/** Gives the lane back, due when its next event is. */
export async function releaseLane(
  store: Store,
  lane: Pick<LeasedLane, 'domain_id' | 'lease_id'>,
  due_at: Instant | null,
): Promise<void> {
  await store.db
    .updateTable('lanes')
    .set({ due_at, lease_id: null })
    .where('domain_id', '=', lane.domain_id)
    .where('lease_id', '=', lane.lease_id)
    .execute();
}

/** The app has nothing to deliver any more. */
export async function silenceLanes(store: Store, app_id: AppId): Promise<void> {
  await store.db
    .updateTable('lanes')
    .set({ due_at: null })
    .where('app_id', '=', app_id)
    .where('lease_id', 'is', null)
    .where('due_at', 'is not', null)
    .execute();
}

/** When the next lane is due. Leases are left out: whoever polls finds one that ran out. */
export async function nextLaneDue(store: Store): Promise<Instant | null> {
  const row = await store.db
    .selectFrom('lanes')
    .select((eb) => eb.fn.min('due_at').as('due_at'))
    .where('due_at', 'is not', null)
    .where('lease_id', 'is', null)
    .executeTakeFirst();
  return row?.due_at ?? null;
}

/** At the start of the only process that uses this database: every lease belongs to one that is gone. */
export async function dropLaneLeases(store: Store, now: Instant): Promise<void> {
  await store.db
    .updateTable('lanes')
    .set({ due_at: now, lease_id: null })
    .where('lease_id', 'is not', null)
    .execute();
}

/** Apps that have a due lane: first those after the given one, then from the start. */
async function dueApps(store: Store, claim: LaneClaim): Promise<AppId[]> {
  const after = await skipScan(store, claim.now, claim.after_app_id, claim.apps_max);
  if (after.length >= claim.apps_max || claim.after_app_id === '') return after;
  const rest = await skipScan(store, claim.now, '', claim.apps_max - after.length);
  return [...after, ...rest.filter((app_id) => app_id <= claim.after_app_id)];
}

/** Reads one index entry per app instead of one per lane (a loose index scan). */
async function skipScan(store: Store, now: Instant, after: string, limit: number): Promise<AppId[]> {
  const { rows } = await sql<{ app_id: AppId }>`
    with recursive due(app_id) as (
      select (select l.app_id from lanes l where l.app_id > ${after} and l.due_at <= ${now} order by l.app_id limit 1)
      union all
      select (select l.app_id from lanes l where l.app_id > due.app_id and l.due_at <= ${now} order by l.app_id limit 1)
      from due where due.app_id is not null
    )
    select app_id from due where app_id is not null limit ${limit}`.execute(store.db);
  return rows.map((row) => row.app_id);
}
