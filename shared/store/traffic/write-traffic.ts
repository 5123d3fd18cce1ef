import { sql } from 'kysely';
import type { Mode } from '../../core/domains/status.ts';
import { DAY_MS, type Instant } from '../../core/instant.ts';
import { addTraffic, noTraffic, type TrafficCounts } from '../../core/traffic/traffic-counts.ts';
import { startOf, TRAFFIC_INTERVALS } from '../../core/traffic/traffic-range.ts';
import { rowList } from '../row-list.ts';
import { inTransaction, type Store } from '../store.ts';
import { COUNT_COLUMNS } from './traffic-columns.ts';
import type { TrafficRow } from './traffic-rows.ts';

/** Counts of one hour that a process adds to the stored ones. */
export interface TrafficBatch {
  /** Identifies the process. */
  writer: string;
  /** Counts the batches of the process from 1. A batch that is written again keeps its number. */
  number: number;
  /** Start of the hour. */
  hour: Instant;
  domains: ReadonlyMap<string, TrafficCounts>;
  /** Live traffic of apps that is not counted by domain. */
  apps: ReadonlyMap<string, TrafficCounts>;
}

/**
 * Adds a batch to the hours and days of its domains and their apps. If the batch was written before, it changes nothing. So a process may
 * repeat a write whose result it does not know.
 * @returns whether the batch is new.
 */
export async function writeTraffic(store: Store, batch: TrafficBatch, now: Instant): Promise<boolean> {
  return inTransaction(store, async (tx) => {
    if (!(await isNew(tx, batch, now))) return false;
    await addRows(tx, await rowsOf(tx, batch));
    return true;
  });
}

/** Marks a batch as written. A concurrent attempt to write it waits here for the end of this transaction. */
async function isNew({ db }: Store, { writer, number }: TrafficBatch, now: Instant): Promise<boolean> {
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

type Counted = Pick<TrafficRow, 'subject_id' | 'mode' | 'app_id'> & { counts: TrafficCounts };

/**
 * Returns the counts by domain and by app. Leaves out domains whose rows have been pruned since, and white-label hosts, which serve our own
 * pages.
 */
async function rowsOf({ db }: Store, { hour, domains, apps }: TrafficBatch): Promise<TrafficRow[]> {
  const byApp = new Map<string, Counted>();
  const addToApp = (appId: string, mode: Mode, counts: TrafficCounts) => {
    const key = `${appId} ${mode}`;
    const sum = byApp.get(key) ?? { subject_id: appId, mode, app_id: appId, counts: noTraffic() };
    addTraffic(sum.counts, counts);
    byApp.set(key, sum);
  };
  const ids = [...domains.keys()];
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

/** Adds rows to those of the same key. They are sorted, so that two writers that add to the same rows lock them in one order. */
async function addRows(store: Store, rows: readonly TrafficRow[]): Promise<void> {
  if (rows.length === 0) return;
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
  const sums = COUNT_COLUMNS.map(
    (name) => sql`${sql.ref(name)} = ${sql.ref(`traffic.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
  );
  await sql`
    insert into traffic (${names}) select ${names} from ${rowList(store, columns, rows)} where true order by ${key}
    on conflict (${key}) do update set ${sql.join(sums)}`.execute(store.db);
}

const KEY = ['subject_id', 'mode', 'interval', 'start'] as const;
