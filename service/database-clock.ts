import { sql } from 'kysely';
import { type Instant, MINUTE_MS } from '../shared/core/instant.ts';
import type { Clock } from '../shared/ports/clock.ts';
import type { Log } from '../shared/ports/log.ts';
import type { Store } from '../shared/store/store.ts';

/** The database's time, so that nodes agree: an offset measured at the start and every minute, not a query a call. */
export interface DatabaseClock extends Clock {
  close(): void;
}

/** @throws where the database does not answer: a node without its time must not start. */
export async function openDatabaseClock(store: Store, machine: Clock, log: Log): Promise<DatabaseClock> {
  let offset_ms = await measure(store, machine);
  let last = 0;
  const timer = setInterval(() => {
    measure(store, machine).then(
      (measured) => {
        offset_ms = measured;
      },
      // The offset of a minute ago is right to within the drift of a minute.
      (error: unknown) => log.warn({ error }, "the database's time could not be read"),
    );
  }, MINUTE_MS);
  timer.unref();
  return {
    now(): Instant {
      // A measurement may set the clock back a little; what this node has said already stands.
      last = Math.max(last, machine.now() + offset_ms);
      return last;
    },
    close: () => clearInterval(timer),
  };
}

/** The database answered somewhere between the two readings: the middle is off by half the round trip at the most. */
async function measure(store: Store, machine: Clock): Promise<number> {
  const before = machine.now();
  const { rows } = await sql<{ now_ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms`.execute(store.db);
  const after = machine.now();
  return (rows[0]?.now_ms ?? after) - Math.round((before + after) / 2);
}
