import { sql } from 'kysely';
import type { Instant } from '../../core/instant.ts';
import type { Mark } from '../commit-order.ts';
import type { Store, Tx } from '../store.ts';

/** The lease and the position of the relay. Only one relay may write to the bucket. */
export interface RelayRow {
  /** The process that has the lease, as host and process id. */
  holder: string;
  /** The end of the lease, by the database's time. */
  until: Instant;
  /** All changes before this mark were sent to the edges, and are in the bucket if it is complete. Null before the first relay. */
  mark: Mark | null;
  /** The highest sequence that the bucket has confirmed. */
  sequence: number;
  report: RelayReport;
}

export interface RelayReport {
  /** Null while the bucket is not complete. */
  generation: string | null;
  /** The number of changes that the bucket lacks. */
  pending: number;
  /** The number of values that differed in all comparisons of this relay. */
  differences: number;
  compared_at: Instant | null;
  /** The last error; null if the relay works. */
  error: string | null;
}

/**
 * Takes or keeps the lease. @returns the stored position; null if another process has the lease.
 * @param isNew true to take the lease, false to keep it.
 */
export async function holdRelayLease(
  { db }: Tx,
  row: Pick<RelayRow, 'holder' | 'mark' | 'sequence' | 'report'>,
  leaseMs: number,
  isNew: boolean,
): Promise<Pick<RelayRow, 'mark' | 'sequence'> | null> {
  const until = sql`${NOW} + ${leaseMs}::int`;
  const report = JSON.stringify(row.report);
  const { rows } = isNew
    ? await sql<{ mark: string | null; sequence: number }>`
        insert into edge_relay (id, holder, until, sequence, report) values (1, ${row.holder}, ${until}, 0, ${report})
        on conflict (id) do update set holder = excluded.holder, until = excluded.until, report = excluded.report
          where edge_relay.until < ${NOW}
        returning mark, sequence`.execute(db)
    : await sql<{ mark: string | null; sequence: number }>`
        update edge_relay set until = ${until}, mark = ${row.mark && JSON.stringify(row.mark)}, sequence = ${row.sequence}, report = ${report}
        where holder = ${row.holder} returning mark, sequence`.execute(db);
  const [held] = rows;
  return held === undefined
    ? null
    : { mark: held.mark === null ? null : JSON.parse(held.mark), sequence: Number(held.sequence) };
}

/** Gives the lease back, so that another process can take it at once. */
export async function endRelayLease({ db }: Tx, holder: string): Promise<void> {
  await sql`update edge_relay set until = 0 where holder = ${holder}`.execute(db);
}

/** Returns the row; null if no relay has run. `isHeld` is false once the lease has ended. */
export async function findRelay({ db }: Store): Promise<(RelayRow & { isHeld: boolean }) | null> {
  const { rows } = await sql<Record<string, string> & { is_held: boolean }>`
    select *, until >= ${NOW} as is_held from edge_relay`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const { holder = '', mark = null, report = '{}' } = row;
  return {
    holder,
    until: Number(row['until']),
    mark: mark === null ? null : JSON.parse(mark),
    sequence: Number(row['sequence']),
    report: JSON.parse(report),
    isHeld: row.is_held,
  };
}

/** The database's time, because the clock of a frozen process may be wrong when it wakes. */
const NOW = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
