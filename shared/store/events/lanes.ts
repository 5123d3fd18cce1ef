import { type RawBuilder, sql } from 'kysely';
import type { AccountId, AppId, DomainId, LeaseId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { rowList, updateRows } from '../row-list.ts';
import { atMost, PENDING } from '../row-values.ts';
import type { Statement } from '../run-together.ts';
import type { Store } from '../store.ts';

/** A domain's event queue, leased to one worker. */
export interface LeasedLane {
  domain_id: DomainId;
  app_id: AppId;
  lease_id: LeaseId;
}

/**
 * Locks the domain's lane until the transaction ends, leased or not, and creates it if it is missing. No attempt of the domain begins or
 * ends meanwhile.
 */
export async function lockLane(store: Store, domainId: DomainId, appId: AppId): Promise<void> {
  await store.db.executeQuery(laneInsert(store, domainId, appId));
  if (!store.flags.rowLocks) return;
  await store.db
    .selectFrom('lanes')
    .select('domain_id')
    .where('domain_id', '=', domainId)
    .forUpdate()
    .execute();
}

/** Makes a lane due with its next event. A leased lane is left alone: the worker that holds it looks for the next event afterwards. */
export async function rescheduleFreeLane(
  store: Store,
  domainId: DomainId,
  dueAt: Instant | null,
): Promise<void> {
  await store.db
    .updateTable('lanes')
    .set({ due_at: dueAt })
    .where('domain_id', '=', domainId)
    .where('lease_id', 'is', null)
    .execute();
}

export function laneInsert(store: Store, domainId: DomainId, appId: AppId): Statement {
  return store.db
    .insertInto('lanes')
    .values({ domain_id: domainId, app_id: appId, due_at: null, lease_id: null })
    .onConflict((conflict) => conflict.doNothing())
    .compile();
}

/** Wakes the lane for a new event. A leased lane is left alone: the worker that holds it looks for the next event afterwards. */
export async function wakeLane(
  store: Store,
  domainId: DomainId,
  appId: AppId,
  dueAt: Instant,
): Promise<void> {
  await store.db.executeQuery(laneWaking(store, domainId, appId, dueAt));
}

export function laneWaking(store: Store, domainId: DomainId, appId: AppId, dueAt: Instant): Statement {
  return sql`
    insert into lanes (domain_id, app_id, due_at) values (${domainId}, ${appId}, ${dueAt})
    on conflict (domain_id) do update set due_at = excluded.due_at
    where lanes.lease_id is null and (lanes.due_at is null or lanes.due_at > excluded.due_at)`.compile(
    store.db,
  );
}

export interface LaneClaim {
  now: Instant;
  lease_until: Instant;
  makeLeaseId: () => LeaseId;
  /** Maximum number of apps whose lanes are claimed. The scan starts after `afterAppId`, so that no app is always first. */
  appsMax: number;
  afterAppId: string;
  /** Returns how many lanes of an app may be claimed in this round, given what its account already has running. */
  roomOf: (app: DueApp) => number;
  lanesMax: number;
}

/** An app with a due lane. Its account is null if the app is gone. */
export interface DueApp {
  app_id: AppId;
  account_id: AccountId | null;
}

/** A lane that a worker claimed on its schedule. */
export type ScheduledLease = LeasedLane & Pick<DueApp, 'account_id'>;

/**
 * Claims due lanes under a lease, fairly across apps: each app with due work contributes up to `roomOf` lanes, within `lanesMax`. The
 * cost does not grow with the backlog (`docs/webhooks.md`). Call it within a transaction.
 */
export async function claimLanes(store: Store, claim: LaneClaim): Promise<ScheduledLease[]> {
  const rooms = (await dueApps(store, claim))
    .map((app) => ({ ...app, room: Math.min(claim.roomOf(app), claim.lanesMax) }))
    .filter(({ room }) => room > 0);
  if (rooms.length === 0) return [];
  const lock = store.flags.rowLocks ? sql`for update skip locked` : sql``;
  const due = rooms.map(
    ({ app_id, room }) => sql`
      select * from (
        select domain_id, app_id from lanes where app_id = ${app_id} and due_at <= ${claim.now}
        order by due_at, domain_id limit ${atMost(room)} ${lock}
      ) due`,
  );
  const { rows } = await sql<Pick<LeasedLane, 'domain_id' | 'app_id'>>`
    ${sql.join(due, sql` union all `)} limit ${atMost(claim.lanesMax)}`.execute(store.db);
  const accountOf = new Map(rooms.map(({ app_id, account_id }) => [app_id, account_id]));
  const leased = rows.map((lane) => ({
    ...lane,
    account_id: accountOf.get(lane.app_id) ?? null,
    lease_id: claim.makeLeaseId(),
  }));
  const dueAt = claim.lease_until;
  await updateRows(
    store,
    'lanes',
    ['domain_id'],
    { domain_id: 'text', due_at: 'bigint', lease_id: 'text' },
    leased.map(({ domain_id, lease_id }) => ({ domain_id, due_at: dueAt, lease_id })),
  );
  return leased;
}

type LaneRelease = Pick<LeasedLane, 'domain_id' | 'lease_id'> & { due_at: Instant | null };

/** Returns the statement that releases lanes, if there are any. Each becomes due with its next event. */
export function lanesRelease(store: Store, lanes: readonly LaneRelease[]): Statement[] {
  if (lanes.length === 0) return [];
  const columns = { domain_id: 'text', lease_id: 'text', due_at: 'bigint' } as const;
  const release = sql`
    update lanes set due_at = given.due_at, lease_id = null from ${rowList(store, columns, lanes)}
    where lanes.domain_id = given.domain_id and lanes.lease_id = given.lease_id`;
  return [release.compile(store.db)];
}

/** A lane that is on the schedule, or leased until `due_at`. */
export interface ScheduledLane {
  domain_id: DomainId;
  due_at: Instant;
}

/**
 * Locks the next batch of an app's scheduled lanes, leased or not. Call it within a transaction.
 * @param after the last lane of the previous batch.
 * @returns the lanes in the order of their schedule.
 */
export async function lockScheduledLanes(
  store: Store,
  appId: AppId,
  limit: number,
  after: ScheduledLane | null,
): Promise<ScheduledLane[]> {
  let batch = store.db
    .selectFrom('lanes')
    .select('domain_id')
    .where('app_id', '=', appId)
    .where('due_at', 'is not', null);
  if (after !== null) {
    batch = batch.where((eb) =>
      eb(eb.refTuple('due_at', 'domain_id'), '>', eb.tuple(after.due_at, after.domain_id)),
    );
  }
  const lanes = store.db
    .selectFrom('lanes')
    .select(['domain_id', 'due_at'])
    .where('domain_id', 'in', batch.orderBy('due_at').orderBy('domain_id').limit(limit))
    .orderBy('domain_id'); // Every transaction locks lanes in this order.
  const rows = await (store.flags.rowLocks ? lanes.forUpdate() : lanes).execute();
  return rows
    .flatMap(({ domain_id, due_at }) =>
      due_at === null ? [] : [{ domain_id: domain_id as DomainId, due_at }],
    )
    .sort((one, other) => one.due_at - other.due_at || (one.domain_id < other.domain_id ? -1 : 1));
}

/** Makes locked lanes due with their next events, or never if they have none. A leased lane is left to the worker that holds it. */
export async function scheduleFreeLanes(store: Store, domainIds: readonly DomainId[]): Promise<void> {
  if (domainIds.length === 0) return;
  const next = sql`
    select next_attempt_at from events
    where events.domain_id = lanes.domain_id and delivery_status = ${PENDING} order by seq limit 1`;
  await sql`
    update lanes set due_at = (${next}) where domain_id in (${sql.join(domainIds)}) and lease_id is null`.execute(
    store.db,
  );
}

/** Returns when the next lane is due, optionally after a given time. Ignores leased lanes: polling finds those whose lease has run out. */
export async function nextLaneDue(store: Store, after?: Instant): Promise<Instant | null> {
  let query = store.db
    .selectFrom('lanes')
    .select((eb) => eb.fn.min('due_at').as('due_at'))
    .where('due_at', 'is not', null)
    .where('lease_id', 'is', null);
  if (after !== undefined) query = query.where('due_at', '>', after);
  const row = await query.executeTakeFirst();
  return row?.due_at ?? null;
}

/** Releases every lease. Call it when the only process that uses this database starts, because earlier holders are then gone. */
export async function dropLaneLeases(store: Store, now: Instant): Promise<void> {
  await store.db
    .updateTable('lanes')
    .set({ due_at: now, lease_id: null })
    .where('lease_id', 'is not', null)
    .execute();
}

/** Maximum number of due lanes that are read to find their apps. If there are more, walking from app to app is cheaper. */
const LANES_READ_MAX = 500;

/** Returns apps that have a due lane: first those after the given app, then those before it. */
async function dueApps(store: Store, claim: LaneClaim): Promise<DueApp[]> {
  const ids = await dueAppIds(store, claim);
  if (ids.length === 0) return [];
  const apps = await store.db
    .selectFrom('apps')
    .select(['id', 'account_id'])
    .where('id', 'in', ids)
    .execute();
  const accountOf = new Map(apps.map(({ id, account_id }) => [id, account_id as AccountId]));
  return ids.map((appId) => ({ app_id: appId, account_id: accountOf.get(appId) ?? null }));
}

async function dueAppIds(store: Store, { now, afterAppId, appsMax }: LaneClaim): Promise<AppId[]> {
  const few = await appsOfFewLanes(store, now);
  if (few !== null) {
    const firstAfter = few.findIndex((appId) => appId > afterAppId);
    const [before, after] = firstAfter < 0 ? [few, []] : [few.slice(0, firstAfter), few.slice(firstAfter)];
    return [...after, ...before].slice(0, appsMax);
  }
  const after = await walkApps(store, now, afterAppId, appsMax);
  if (after.length >= appsMax || afterAppId === '') return after;
  const rest = await walkApps(store, now, '', appsMax - after.length);
  return [...after, ...rest.filter((appId) => appId <= afterAppId)];
}

/** Returns the apps of all due lanes, in order, or null if there are too many lanes. */
async function appsOfFewLanes(store: Store, now: Instant): Promise<AppId[] | null> {
  const { rows } = await sql<{ app_id: AppId; lanes: number }>`
    select app_id, count(*) as lanes
    from (select app_id from lanes where due_at <= ${now} order by due_at limit ${sql.lit(LANES_READ_MAX)}) due
    group by app_id order by app_id`.execute(store.db);
  const lanes = rows.reduce((sum, row) => sum + row.lanes, 0);
  return lanes < LANES_READ_MAX ? rows.map((row) => row.app_id) : null;
}

/**
 * Walks from app to app along the index (app_id, due_at, domain_id), so that the number of lanes does not matter. It reads each app's first
 * scheduled lane and checks whether that is due. With a condition on `due_at` in the step, Postgres before 18 would read all lanes that are
 * not due yet.
 */
async function walkApps(store: Store, now: Instant, after: string, limit: number): Promise<AppId[]> {
  const first = (afterApp: RawBuilder<unknown>) => sql`(
    select domain_id from lanes where app_id > ${afterApp} and due_at is not null
    order by app_id, due_at, domain_id limit 1
  )`;
  const { rows } = await sql<{ app_id: AppId }>`
    with recursive firsts(first_id) as (
      select ${first(sql`${after}`)}
      union all
      select ${first(sql`l.app_id`)} from firsts join lanes l on l.domain_id = first_id
    )
    select (select app_id from lanes where domain_id = first_id) as app_id from firsts
    where (select due_at from lanes where domain_id = first_id) <= ${now}
    limit ${atMost(limit)}`.execute(store.db);
  return rows.map((row) => row.app_id);
}
