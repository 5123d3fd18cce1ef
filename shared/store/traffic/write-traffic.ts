import { sql } from 'kysely';
import type { Mode } from '../../core/domains/status.ts';
import type { DomainId } from '../../core/ids.ts';
import { DAY_MS, type Instant } from '../../core/instant.ts';
import { LIMITS } from '../../core/limits.ts';
import { addTraffic, noTraffic, type TrafficCounts } from '../../core/traffic/traffic-counts.ts';
import { startOf, TRAFFIC_INTERVALS } from '../../core/traffic/traffic-range.ts';
import { rowList, updateRows } from '../row-list.ts';
import { inTransaction, type Store, type Tx } from '../store.ts';
import { busiest, busyDomains, COUNT_COLUMNS, type TrafficRow } from './traffic-rows.ts';

/** The number of busiest domains to list for an app in each hour and day. A client cannot ask for a longer list. */
const TOP_MAX = LIMITS.page_size_max;

/** Counts of one hour, which a process adds to the stored counts. */
export interface TrafficBatch {
  /** Identifies the process. */
  writer: string;
  /** The number of the batch: the first batch of a process has number 1. A batch that is written again has the same number. */
  number: number;
  /** Start of the hour. */
  hour: Instant;
  domains: ReadonlyMap<string, TrafficCounts>;
  /** Live traffic that is counted only for its app, by app id. */
  apps: ReadonlyMap<string, TrafficCounts>;
}

/**
 * Adds a batch to the hours and days of its domains and their apps, and updates the busiest domains of each app. Changes nothing if the
 * batch was written before. So a process may repeat a write whose outcome it does not know.
 * @returns whether the batch is new.
 */
export async function writeTraffic(store: Store, batch: TrafficBatch, now: Instant): Promise<boolean> {
  return inTransaction(store, async (tx) => {
    if (!(await isNew(tx, batch, now))) return false;
    await keepTop(tx, await addRows(tx, await rowsOf(tx, batch)));
    return true;
  });
}

/**
 * Marks a batch as written and returns whether it is new. A concurrent transaction with the same batch waits here until this transaction
 * ends.
 */
async function isNew({ db }: Tx, { writer, number }: TrafficBatch, now: Instant): Promise<boolean> {
  const result = await db
    .insertInto('traffic_writers')
    .values({ id: writer, last_batch: number, written_at: now })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ last_batch: number, written_at: now })
        .where('traffic_writers.last_batch', '<', number),
    )
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

type NewRow = Omit<TrafficRow, 'top'>;
type Counted = Pick<TrafficRow, 'subject_id' | 'mode' | 'app_id'> & { counts: TrafficCounts };

/**
 * Returns the counts by domain and by app. Leaves out domains whose rows have been deleted since, and the domains of white-label hosts,
 * where the edge serves the connect pages.
 */
async function rowsOf({ db }: Store, { hour, domains, apps }: TrafficBatch): Promise<NewRow[]> {
  const byApp = new Map<string, Counted>();
  const addToApp = (appId: string, mode: Mode, counts: TrafficCounts) => {
    const key = `${appId} ${mode}`;
    const sum = byApp.get(key) ?? { subject_id: appId, mode, app_id: appId, counts: noTraffic() };
    addTraffic(sum.counts, counts);
    byApp.set(key, sum);
  };
  const ids = [...domains.keys()] as DomainId[];
  const owners =
    ids.length === 0
      ? []
      : await db.selectFrom('domains').select(['id', 'app_id', 'mode']).where('id', 'in', ids).execute();
  const counted = owners.flatMap(({ id, app_id, mode }): Counted[] => {
    if (mode === 'host') return [];
    const counts = domains.get(id) ?? noTraffic();
    addToApp(app_id, mode, counts);
    return [{ subject_id: id, mode, app_id, counts }];
  });
  for (const [appId, counts] of apps) addToApp(appId, 'live', counts);
  return [...counted, ...byApp.values()].flatMap(({ counts, ...key }) =>
    TRAFFIC_INTERVALS.map((interval) => ({
      ...key,
      interval,
      start: interval === 'hour' ? hour : startOf(hour, DAY_MS),
      ...(Object.fromEntries(COUNT_COLUMNS.map((name, index) => [name, counts[index] ?? 0])) as Record<
        (typeof COUNT_COLUMNS)[number],
        number
      >),
    })),
  );
}

type Sum = Pick<TrafficRow, (typeof KEY)[number] | 'app_id' | 'requests' | 'top'>;

/**
 * Adds counts to the stored rows of the same key. Sorts them by key, so that two writers lock the same rows in the same order.
 * @returns the stored rows after the addition.
 */
async function addRows(tx: Tx, rows: readonly NewRow[]): Promise<readonly Sum[]> {
  if (rows.length === 0) return [];
  const columns = {
    subject_id: 'text',
    mode: 'text',
    interval: 'text',
    start: 'bigint',
    app_id: 'text',
    ...(Object.fromEntries(COUNT_COLUMNS.map((name) => [name, 'bigint'])) as Record<
      (typeof COUNT_COLUMNS)[number],
      'bigint'
    >),
  } as const;
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)));
  const key = sql.join(KEY.map((name) => sql.ref(name)));
  const added = COUNT_COLUMNS.map(
    (name) => sql`${sql.ref(name)} = ${sql.ref(`traffic.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
  );
  const { rows: sums } = await sql<Sum>`
    insert into traffic (${names}) select ${names} from ${rowList(tx, columns, rows)} where true order by ${key}
    on conflict (${key}) do update set ${sql.join(added)}
    returning ${key}, app_id, requests, top`.execute(tx.db);
  return sums;
}

/**
 * Updates the list of busiest domains of each app that has new requests. The lists are exact: a domain's sum never decreases, and each new
 * sum is compared with the list. `addRows` has locked the rows of the apps.
 */
async function keepTop(tx: Tx, sums: readonly Sum[]): Promise<void> {
  const ofApp = Map.groupBy(sums, ({ app_id, mode, interval }) => `${app_id} ${mode} ${interval}`);
  const changed = [...ofApp.values()].flatMap((rows) => {
    const app = rows.find(({ subject_id, app_id }) => subject_id === app_id);
    if (app === undefined) return [];
    const domains = new Map<string, number>(busyDomains(app.top));
    for (const { subject_id, requests } of rows)
      if (subject_id !== app.subject_id) domains.set(subject_id, requests);
    const top = JSON.stringify(busiest(domains, TOP_MAX));
    return top === app.top ? [] : [{ ...app, top }];
  });
  const key = { subject_id: 'text', mode: 'text', interval: 'text', start: 'bigint' } as const;
  await updateRows(tx, 'traffic', KEY, { ...key, top: 'text' }, changed);
}

const KEY = ['subject_id', 'mode', 'interval', 'start'] as const;
