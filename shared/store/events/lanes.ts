import { sql } from 'kysely';
import type { AccountId, AppId, DomainId, LeaseId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { type Claimed, type DueApp, findDueApps, lockDue, type QueueTable } from '../due-apps.ts';
import { rowList, updateRows } from '../row-list.ts';
import { PENDING, QUEUED } from '../row-values.ts';
import type { Statement } from '../run-together.ts';
import type { Store, Tx } from '../store.ts';

/** A domain's event queue, leased to one worker. */
export interface LeasedLane {
  domain_id: DomainId;
  app_id: AppId;
  lease_id: LeaseId;
}

/**
 * Locks the domain's event queue until the transaction ends, even if a worker has leased it. Creates the queue if it is missing. While the
 * queue is locked, no delivery attempt of the domain begins or ends.
 */
export async function lockLane(tx: Tx, domainId: DomainId, appId: AppId): Promise<void> {
  await tx.db.executeQuery(laneInsert(tx, domainId, appId));
  if (!tx.flags.rowLocks) return;
  await tx.db.selectFrom('lanes').select('domain_id').where('domain_id', '=', domainId).forUpdate().execute();
}

/** Makes an event queue due at the given time. Does not change a leased queue, whose worker reads the next event after its attempt. */
export async function rescheduleFreeLane(tx: Tx, domainId: DomainId, dueAt: Instant | null): Promise<void> {
  await tx.db
    .updateTable('lanes')
    .set({ due_at: dueAt })
    .where('domain_id', '=', domainId)
    .where('lease_id', 'is', null)
    .execute();
}

export function laneInsert(tx: Tx, domainId: DomainId, appId: AppId): Statement {
  return tx.db
    .insertInto('lanes')
    .values({ domain_id: domainId, app_id: appId, due_at: null, lease_id: null })
    .onConflict((conflict) => conflict.doNothing())
    .compile();
}

/**
 * Returns the statement that makes a domain's event queue due for a new event. It does not change a leased queue, because the worker reads
 * the next event once its attempt has ended.
 */
export function laneWaking(tx: Tx, domainId: DomainId, appId: AppId, dueAt: Instant): Statement {
  return sql`
    insert into lanes (domain_id, app_id, due_at) values (${domainId}, ${appId}, ${dueAt})
    on conflict (domain_id) do update set due_at = excluded.due_at
    where lanes.lease_id is null and (lanes.due_at is null or lanes.due_at > excluded.due_at)`.compile(tx.db);
}

export interface LaneClaim {
  now: Instant;
  lease_until: Instant;
  makeLeaseId: () => LeaseId;
  /** Maximum number of apps whose event queues are claimed. The scan starts after `afterAppId`, so that no app is always first. */
  appsMax: number;
  afterAppId: string;
  /** Accounts that have used up their share of attempts. The event queues of their domains are skipped. */
  fullAccounts: readonly AccountId[];
  /** Returns how many event queues of an app may be claimed in this round, given the running attempts of the app's account. */
  roomOf: (app: DueApp) => number;
  lanesMax: number;
}

/** An event queue that a worker claimed because its next event was due. */
export type ScheduledLease = LeasedLane & Pick<DueApp, 'account_id'>;

export const LANES: QueueTable = {
  table: 'lanes',
  subject: 'domain_id',
  columns: ['domain_id'],
  inQueue: (_, appId) => sql`lanes.app_id = ${appId}`,
};

/**
 * Claims due event queues (lanes) under a lease and shares them among apps: up to `roomOf` queues of each app, and at most `lanesMax` in
 * total. The cost does not grow with the backlog (`docs/webhooks.md`). Call this in a transaction within `claimInTurn`.
 */
export async function claimLanes(tx: Tx, claim: LaneClaim): Promise<Claimed<ScheduledLease>> {
  const { now, appsMax, afterAppId, lanesMax } = claim;
  const wanted = [{ kind: 'deliver', appsMax, fullAccounts: claim.fullAccounts }];
  const later = await findDueApps(tx, now, wanted, { after: afterAppId });
  const isEnough = later.length >= appsMax || afterAppId === '';
  const all = isEnough ? [] : await findDueApps(tx, now, wanted, { after: '' });
  const earlier = all.filter((app) => byBytes(app.app_id, afterAppId) <= 0);
  const apps = [later, earlier]
    .flatMap((found) => found.toSorted((one, other) => byBytes(one.app_id, other.app_id)))
    .slice(0, appsMax)
    .map((app) => ({ ...app, room: Math.min(claim.roomOf(app), lanesMax) }))
    .filter(({ room }) => room > 0);
  const { rows, behind } = await lockDue<Pick<LeasedLane, 'domain_id' | 'app_id'>>(
    tx,
    LANES,
    apps,
    now,
    lanesMax,
  );
  const accountOf = new Map(apps.map(({ app_id, account_id }) => [app_id, account_id]));
  const leased = rows.map(({ domain_id, app_id }) => ({
    domain_id,
    app_id,
    account_id: accountOf.get(app_id) ?? null,
    lease_id: claim.makeLeaseId(),
  }));
  await updateRows(
    tx,
    'lanes',
    ['domain_id'],
    { domain_id: 'text', lease_id: 'text', leased_until: 'bigint' },
    leased.map(({ domain_id, lease_id }) => ({ domain_id, lease_id, leased_until: claim.lease_until })),
  );
  return { rows: leased, behind };
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

type LaneRelease = Pick<LeasedLane, 'domain_id' | 'lease_id'> & { due_at: Instant | null };

/**
 * Returns the statement that releases event queues. Each queue is due again at its `due_at`, the time of its next event. Returns no
 * statement if there are no queues.
 */
export function lanesRelease(tx: Tx, lanes: readonly LaneRelease[]): Statement[] {
  if (lanes.length === 0) return [];
  const columns = { domain_id: 'text', lease_id: 'text', due_at: 'bigint' } as const;
  const release = sql`
    update lanes set due_at = given.due_at, lease_id = null, leased_until = 0 from ${rowList(tx, columns, lanes)}
    where lanes.domain_id = given.domain_id and lanes.lease_id = given.lease_id`;
  return [release.compile(tx.db)];
}

/** An event queue with a due time, whether a worker has leased the queue or not. */
export interface ScheduledLane {
  domain_id: DomainId;
  due_at: Instant;
}

/**
 * Locks the next batch of an app's event queues that have a due time, including leased queues. Call this within a transaction.
 * @param after the last queue of the previous batch.
 * @returns the queues, sorted by their due time.
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
  const scheduled = rows.flatMap(({ domain_id, due_at }) => (due_at === null ? [] : [{ domain_id, due_at }]));
  // While this query waited for the locks, another transaction cleared the due times of the whole batch. So read the next batch.
  if (rows.length > 0 && scheduled.length === 0) return lockScheduledLanes(store, appId, limit, after);
  return scheduled.sort(
    (one, other) => one.due_at - other.due_at || (one.domain_id < other.domain_id ? -1 : 1),
  );
}

/**
 * Sets the due time of locked event queues to the time of their next pending event, or to null if there is none. Skips leased queues, whose
 * workers set the time later.
 */
export async function scheduleFreeLanes(tx: Tx, domainIds: readonly DomainId[]): Promise<void> {
  if (domainIds.length === 0) return;
  const next = sql`
    select next_attempt_at from events
    where events.domain_id = lanes.domain_id and delivery_status = ${PENDING} order by seq limit 1`;
  await sql`
    update lanes set due_at = (${next}) where domain_id in (${sql.join(domainIds)}) and lease_id is null`.execute(
    tx.db,
  );
}

/**
 * Returns when the next event queue is due, optionally after a given time. Ignores leased queues. If a lease expires, the next poll claims
 * the queue.
 */
export async function nextLaneDue(store: Store, after?: Instant): Promise<Instant | null> {
  let query = store.db
    .selectFrom('lanes')
    .select((eb) => eb.fn.min('due_at').as('due_at'))
    .where(QUEUED)
    .where('lease_id', 'is', null);
  if (after !== undefined) query = query.where('due_at', '>', after);
  const row = await query.executeTakeFirst();
  return row?.due_at ?? null;
}

/**
 * Releases every lease. Call this when the only process that uses this database starts, because every worker with a lease has then stopped.
 */
export async function dropLaneLeases(tx: Tx, now: Instant): Promise<void> {
  await tx.db
    .updateTable('lanes')
    .set({ due_at: now, lease_id: null, leased_until: 0 })
    .where('lease_id', 'is not', null)
    .execute();
}
