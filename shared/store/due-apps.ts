import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { AccountId, AppId } from '../core/ids.ts';
import type { Instant } from '../core/instant.ts';
import { rowList } from './row-list.ts';
import { atMost } from './row-values.ts';
import { inTransaction, type Store } from './store.ts';

/**
 * Lower bounds for the times in a queue: the jobs of one kind and one app, or an app's lanes (event queues of domains). A queue can have
 * several rows. For each job or lane, at least one row applies: no worker can claim the job before `wake_at`, and the job is not due before
 * `first_due_at` (`decisions/0087`).
 */
export interface DueAppRow {
  /** The kind of a job, or `deliver` for the event queues of domains (lanes). */
  kind: string;
  /** Empty for jobs without an app. */
  app_id: string;
  wake_at: number;
  first_due_at: number;
}

/** The table of jobs, or of lanes (event queues of domains). Each app has one queue for each kind of work in the table. */
export interface QueueTable {
  table: 'jobs' | 'lanes';
  subject: 'subject_id' | 'domain_id';
  /** Columns that a claim reads, besides `app_id` and `due_at`. */
  columns: readonly string[];
  /** Returns the condition for the rows of one queue. */
  inQueue: (kind: RawBuilder<string>, appId: RawBuilder<string>) => RawBuilder<SqlBool>;
}

/** An app whose queue may have work that is due. */
export interface DueApp<Kind extends string = string> {
  kind: Kind;
  /** Empty for jobs without an app. */
  app_id: AppId | '';
  /** Null for jobs without an app, or if the app is gone. */
  account_id: AccountId | null;
  /** A lower bound of `due_at` for the rows of the queue that can be claimed now. */
  first_due_at: Instant;
}

/** A due app, and the maximum number of its rows to claim. */
export type AppRoom = DueApp & { room: number };

/** If a queue's first due row is this much later than `first_due_at`, a claim corrects `first_due_at`, even if more rows are due. */
const BEHIND_MS_MAX = 60_000;
/** A time that is later than any other. */
const FOREVER = sql.lit(Number.MAX_SAFE_INTEGER);
/** How often a claim that found no rows corrects `due_apps` and tries again, because other apps may still have due rows. */
const TRIES_MAX = 10;

/** The apps to find for a kind. */
export interface AppsWanted<Kind extends string = string> {
  kind: Kind;
  appsMax: number;
  /** Accounts whose apps are skipped. */
  fullAccounts: readonly AccountId[];
}

/**
 * Returns apps whose queues may have due work, the longest wait first.
 * @param turn the id after which to find apps, in the order of ids. Without `turn`, finds the apps with the longest wait.
 */
export async function findDueApps<Kind extends string>(
  store: Store,
  now: Instant,
  wanted: readonly AppsWanted<Kind>[],
  turn?: { after: string },
): Promise<DueApp<Kind>[]> {
  const later = turn === undefined ? sql`` : sql`and app_id > ${turn.after}`;
  const kinds = wanted.map(({ kind, appsMax }) => ({ kind, apps_max: appsMax }));
  const full = wanted.flatMap(({ kind, fullAccounts }) =>
    fullAccounts.map((accountId) => ({ kind, account_id: accountId })),
  );
  const given = rowList(store, { kind: 'text', apps_max: 'bigint' }, kinds);
  const fullGiven = rowList(store, { kind: 'text', account_id: 'text' }, full);
  const columns = sql`due_apps.kind, app_id, wake_at, first_due_at`;
  // Uses a subquery, because with a join the planner could read the whole table `apps`.
  const account = sql`(select account_id from apps where apps.id = due_apps.app_id)`;
  const isWanted = sql`
    due_apps.kind = given.kind and wake_at <= ${now} and wake_at <> -1 ${later}
    and (due_apps.kind, coalesce(${account}, '')) not in (select given.kind, given.account_id from ${fullGiven})`;
  // One queue can have several rows. Grouping them keeps an app from appearing several times in the list, in place of other apps.
  const first =
    turn === undefined
      ? sql`select ${columns} from due_apps where ${isWanted} order by wake_at`
      : sql`select due_apps.kind, app_id, min(wake_at) as wake_at, min(first_due_at) as first_due_at from due_apps where ${isWanted}
          group by due_apps.kind, app_id order by app_id`;
  // SQLite has no `lateral`, so the query reads all due apps there. An emulator has few apps.
  const due = store.flags.lateral
    ? sql`select due_apps.*, ${account} as account_id from ${given}
        cross join lateral (${first} limit given.apps_max) due_apps`
    : sql`select ${columns}, ${account} as account_id from ${given} join due_apps on ${isWanted}`;
  const { rows } = await sql<DueApp<Kind>>`${due} order by wake_at, app_id`.execute(store.db);
  const apps = new Map<string, DueApp<Kind>>();
  for (const row of rows) {
    const first = apps.get(keyOf(row));
    if (first === undefined) apps.set(keyOf(row), row);
    else first.first_due_at = Math.min(first.first_due_at, row.first_due_at);
  }
  return [...apps.values()];
}

export interface Claimed<Row> {
  rows: Row[];
  /** Apps whose first due row is later than `due_apps` says. The caller corrects `due_apps` once the claim is committed. */
  behind: DueApp[];
}

/** A due row that no worker has leased. */
export type DueRow = Pick<DueApp, 'kind' | 'app_id'> & { due_at: Instant };

/** Returns the first due rows of each app, up to its `room`, without locking them. */
export async function readDue(
  store: Store,
  queue: QueueTable,
  apps: readonly AppRoom[],
  now: Instant,
): Promise<DueRow[]> {
  if (apps.length === 0) return [];
  return (await dueRows<object>(store, { ...queue, columns: [] }, apps, now, sql``).execute(store.db)).rows;
}

/**
 * Locks the first due rows of each app, up to its `room`, until the transaction ends. Skips rows that are already locked, and locks only
 * the rows that it returns.
 * @returns the rows, and the apps whose rows in `due_apps` need an update.
 */
export async function lockDue<Row>(
  store: Store,
  queue: QueueTable,
  apps: readonly AppRoom[],
  now: Instant,
  limit: number,
): Promise<Claimed<Row & DueRow>> {
  if (apps.length === 0) return { rows: [], behind: [] };
  const lock = store.flags.rowLocks ? sql`for update skip locked` : sql``;
  const due = dueRows<Row>(store, queue, apps, now, lock);
  const { rows } = await sql<Row & DueRow>`${due} limit ${atMost(limit)}`.execute(store.db);
  return { rows, behind: appsBehind(apps, rows, rows.length < limit) };
}

function dueRows<Row>(
  store: Store,
  queue: QueueTable,
  apps: readonly AppRoom[],
  now: Instant,
  lock: RawBuilder<unknown>,
): RawBuilder<Row & DueRow> {
  const columns = sql.join(['due_at', ...queue.columns].map((name) => sql.ref(name)));
  const ofApp = ({ kind, app_id, first_due_at, room }: QueueSql) => sql`(
    select ${columns} from ${sql.table(queue.table)}
    where ${queue.inQueue(kind, app_id)} and due_at >= ${first_due_at} and due_at <= ${now} and leased_until <= ${now}
    order by due_at, ${sql.ref(queue.subject)} limit ${room} ${lock})`;
  if (store.flags.lateral) {
    const columnsOf = { kind: 'text', app_id: 'text', first_due_at: 'bigint', room: 'bigint' } as const;
    const [kind, appId] = [sql<string>`given.kind`, sql<string>`given.app_id`];
    const [firstDueAt, room] = [sql<number>`given.first_due_at`, sql<number>`given.room`];
    return sql`select due.*, given.kind, given.app_id from ${rowList(store, columnsOf, apps)}
      cross join lateral ${ofApp({ kind, app_id: appId, first_due_at: firstDueAt, room })} due`;
  }
  const each = apps.map((app) => {
    const [kind, appId, firstDueAt] = [
      sql<string>`${app.kind}`,
      sql<string>`${app.app_id}`,
      sql<number>`${app.first_due_at}`,
    ];
    return sql`select due.*, ${kind} as kind, ${appId} as app_id from ${ofApp({ kind, app_id: appId, first_due_at: firstDueAt, room: atMost(app.room) })} due`;
  });
  return sql`${sql.join(each, sql` union all `)}`;
}

interface QueueSql {
  kind: RawBuilder<string>;
  app_id: RawBuilder<string>;
  first_due_at: RawBuilder<number>;
  room: RawBuilder<number>;
}

/**
 * Returns the apps whose rows in `due_apps` need an update. These apps have fewer due rows than a claim had room for, or a first row that
 * is due much later than `first_due_at`.
 * @param isWhole false if a limit ended the read, so that an app can have due rows that the claim did not read.
 */
export function appsBehind(apps: readonly AppRoom[], rows: readonly DueRow[], isWhole = true): DueApp[] {
  const counts = new Map<string, { count: number; first: Instant }>();
  for (const row of rows) {
    const own = counts.get(keyOf(row)) ?? { count: 0, first: row.due_at };
    counts.set(keyOf(row), { count: own.count + 1, first: Math.min(own.first, row.due_at) });
  }
  return apps.filter((app) => {
    const own = counts.get(keyOf(app));
    if (own !== undefined && own.first - app.first_due_at > BEHIND_MS_MAX) return true;
    return isWhole && (own === undefined || own.count < app.room);
  });
}

/**
 * Claims rows, commits the claim, and then corrects times in `due_apps` that are too early. If no row was claimed but a time was corrected,
 * tries again.
 * @param claim locks and leases rows, in its own transaction.
 * @returns the claimed rows.
 */
export async function claimInTurn<Row>(
  store: Store,
  queue: QueueTable,
  claim: () => Promise<Claimed<Row>>,
): Promise<Row[]> {
  for (let tries = 1; ; tries++) {
    const { rows, behind } = await claim();
    const moving = moveUp(store, queue, behind);
    // The claimed rows are leased, so the caller must process them even if the update of `due_apps` fails. Its old rows remain valid, and a
    // later claim updates them.
    if (rows.length > 0)
      return moving.then(
        () => rows,
        () => rows,
      );
    if ((await moving) === 0 || tries === TRIES_MAX) return rows;
  }
}

/**
 * Updates the lower bounds of these queues. Deletes their rows in `due_apps`, and adds one row for each queue that still has work. Skips a
 * row that another transaction has locked, because that row may be for work that is not committed yet.
 * @returns the number of queues whose bounds it updated.
 */
async function moveUp(
  store: Store,
  { table, inQueue }: QueueTable,
  apps: readonly DueApp[],
): Promise<number> {
  if (apps.length === 0) return 0;
  return inTransaction(store, async (tx) => {
    const given = rowList(tx, { kind: 'text', app_id: 'text' }, apps);
    const these = tx.flags.rowLocks
      ? sql`ctid = any(array(
          select each.ctid from ${given} cross join lateral (
            select ctid from due_apps where due_apps.kind = given.kind and due_apps.app_id = given.app_id
            order by wake_at for update skip locked) each))`
      : sql`(kind, app_id) in (select kind, app_id from ${given})`;
    const replaced =
      await sql<DueApp>`delete from due_apps where ${these} returning kind, app_id, first_due_at`.execute(
        tx.db,
      );
    const queues = new Map<string, DueApp>();
    for (const row of replaced.rows) {
      const first = queues.get(keyOf(row))?.first_due_at ?? row.first_due_at;
      queues.set(keyOf(row), { ...row, first_due_at: Math.min(first, row.first_due_at) });
    }
    if (queues.size === 0) return 0;
    const columns = { kind: 'text', app_id: 'text', first_due_at: 'bigint' } as const;
    const queue = sql`from ${sql.table(table)} where ${inQueue(sql`given.kind`, sql`given.app_id`)} and due_at >= given.first_due_at`;
    // A row that is due after the first unleased row is also claimed after it, so only the leases of earlier rows matter.
    const free = sql`select due_at ${queue} and leased_until <= due_at order by due_at limit 1`;
    await sql`
      insert into due_apps (kind, app_id, wake_at, first_due_at)
      select kind, app_id, wake_at, first_due_at from (
        select given.kind, given.app_id, (select due_at ${queue} order by due_at limit 1) as first_due_at, (
          select min(claimable_at) from (
            select due_at as claimable_at from (${free}) free
            union all select leased_until ${queue} and leased_until > due_at and due_at < coalesce((${free}), ${FOREVER})
          ) head) as wake_at
        from ${rowList(tx, columns, [...queues.values()])}) begins
      where first_due_at is not null`.execute(tx.db);
    return queues.size;
  });
}

function keyOf({ kind, app_id }: Pick<DueApp, 'kind' | 'app_id'>): string {
  return `${kind} ${app_id}`;
}
