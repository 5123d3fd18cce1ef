import { sql } from 'kysely';
import type { DeliveryId } from '../../shared/core/ids.ts';
import type { Instant } from '../../shared/core/instant.ts';
import type { EmulatorComposition } from '../compose.ts';
import type { SeenCall, SeenCalls } from './seen-calls.ts';

/** Something that happened in the emulator, to show to the user. The texts of requests are unchanged, so the display must escape them. */
export type ActivityItem =
  | ({ kind: 'api' } & SeenCall)
  | {
      kind: 'edge';
      at: Instant;
      method: string;
      host: string | null;
      path: string;
      /** The status of the response; null if the visitor left before there was one. */
      status: number | null;
    }
  | {
      kind: 'event';
      at: Instant;
      event_id: string;
      type: string;
      hostname: string;
      previous_status: string | null;
      status: string | null;
    }
  | {
      kind: 'webhook';
      at: Instant;
      event_id: string;
      type: string;
      hostname: string;
      attempt: number;
      status: number | null;
      error: string | null;
      response_ms: number | null;
    }
  | { kind: 'mail'; at: Instant; to: string; subject: string; text: string };

/** Reads the emulator's new activity. */
export interface Activity {
  /** Returns the new items, oldest first. The first call skips everything that happened before it. */
  read(): Promise<ActivityItem[]>;
  counts(): Promise<{ domains: number; events: number }>;
}

/** The maximum number of items that one read returns, so that a burst does not block the display. The next read returns the rest. */
const ROWS_MAX = 500;

export function createActivity(emulator: EmulatorComposition, calls: SeenCalls): Activity {
  const { context, requests, mails } = emulator;
  const { db } = context.store;
  const fresh = [
    unseen(
      () => calls.list(),
      (call): ActivityItem => ({ kind: 'api', ...call }),
    ),
    unseen(
      () => requests.list(),
      ({ method, host, path, status }): ActivityItem => ({
        kind: 'edge',
        // Use the emulator's time for the display, because the edge has recorded the machine's time.
        at: emulator.clock.now(),
        method,
        host,
        path,
        status,
      }),
    ),
    unseen(
      () => mails.list(),
      ({ at, to, subject, text }): ActivityItem => ({ kind: 'mail', at, to, subject, text }),
    ),
  ];
  const events = createRowReader('events');
  const deliveries = createRowReader('deliveries');
  /** Deliveries that were in progress at the last read. */
  let underWay: DeliveryId[] = [];
  let hasBegun = false;

  return {
    async counts() {
      const { rows } = await sql<{ domains: number; events: number }>`
        select (select count(*) from domains where status <> 'deleted' and mode <> 'host') as domains,
          (select count(*) from events) as events`.execute(db);
      return rows[0] ?? { domains: 0, events: 0 };
    },
    async read() {
      const inMemory = fresh.flatMap((look) => look());
      const [eventItems, webhookItems] = [await newEvents(), await newDeliveries()];
      if (!hasBegun) {
        hasBegun = true;
        return [];
      }
      return [...inMemory, ...eventItems, ...webhookItems].sort((one, other) => one.at - other.at);
    },
  };

  async function newEvents(): Promise<ActivityItem[]> {
    const after = await events.start();
    const rows = await db
      .selectFrom('events')
      .select(['id', 'created_at', 'type', 'hostname', 'previous_status', 'status'])
      .select(sql<number>`rowid`.as('row'))
      .where(sql<number>`rowid`, '>', after)
      .orderBy(sql`rowid`)
      .limit(ROWS_MAX)
      .execute();
    events.reached(rows.at(-1));
    return rows.map(({ id: eventId, created_at: at, type, hostname, previous_status, status }) => ({
      kind: 'event',
      at,
      event_id: eventId,
      type,
      hostname,
      previous_status,
      status,
    }));
  }

  /** Returns the deliveries that have ended since the last read. A delivery's row exists from its start, and its result is added later. */
  async function newDeliveries(): Promise<ActivityItem[]> {
    const after = await deliveries.start();
    const rows = await db
      .selectFrom('deliveries')
      .innerJoin('events', 'events.id', 'deliveries.event_id')
      .select([
        'deliveries.id',
        'event_id',
        'finished',
        'attempt',
        'status_code',
        'error',
        'response_ms',
        'type',
        'hostname',
      ])
      .select(['deliveries.created_at', sql<number>`deliveries.rowid`.as('row')])
      .where((eb) =>
        eb.or([
          eb(sql<number>`deliveries.rowid`, '>', after),
          eb('deliveries.id', 'in', ['' as DeliveryId, ...underWay]),
        ]),
      )
      .orderBy(sql`deliveries.rowid`)
      .limit(ROWS_MAX)
      .execute();
    deliveries.reached(rows.filter(({ row }) => row > after).at(-1));
    underWay = rows.filter(({ finished }) => finished === 0).map(({ id }) => id);
    return rows
      .filter(({ finished }) => finished === 1)
      .map(({ created_at, event_id, type, hostname, attempt, status_code: status, error, response_ms }) => ({
        kind: 'webhook',
        at: created_at + (response_ms ?? 0),
        event_id,
        type,
        hostname,
        attempt,
        status,
        error,
        response_ms,
      }));
  }

  /** Remembers the last row of a table that was read. Starts over after a reset or an import, because these replace all rows. */
  function createRowReader(table: 'events' | 'deliveries') {
    let last: { row: number; id: string } | null = null;
    return {
      async start(): Promise<number> {
        if (!hasBegun) {
          const { rows } = await sql<{ row: number; id: string }>`
            select rowid as row, id from ${sql.table(table)} order by rowid desc limit 1`.execute(db);
          last = rows[0] ?? null;
          return last?.row ?? 0;
        }
        if (last === null) return 0;
        const { rows } = await sql<{ id: string }>`
          select id from ${sql.table(table)} where rowid = ${last.row}`.execute(db);
        if (rows[0]?.id !== last.id) last = null;
        return last?.row ?? 0;
      },
      reached(row: { row: number; id: string } | undefined) {
        if (row !== undefined) last = { row: row.row, id: row.id };
      },
    };
  }
}

/**
 * Returns a function that returns the entries that were added to a list since its last call, oldest first. `list` returns the newest entry
 * first.
 */
function unseen<T extends object>(
  list: () => readonly T[],
  present: (entry: T) => ActivityItem,
): () => ActivityItem[] {
  let newest: T | undefined;
  return () => {
    const entries = list();
    const known = newest === undefined ? -1 : entries.indexOf(newest);
    const added = known === -1 ? entries : entries.slice(0, known);
    newest = entries[0];
    return added.map(present).reverse();
  };
}
