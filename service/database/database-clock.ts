import { sql } from 'kysely';
import { MINUTE_MS, SECOND_MS } from '../../shared/core/instant.ts';
import { type Clock, systemClock } from '../../shared/ports/clock.ts';
import type { Log } from '../../shared/ports/log.ts';
import type { Store } from '../../shared/store/store.ts';
import { ClockFollower } from './clock-follower.ts';

/** The database's time, so that nodes agree: an offset measured at the start and every minute, not a query a call. */
export interface DatabaseClock extends Clock {
  /** Returns the problem with the time, or null if there is none. */
  problem(): string | null;
  /** Registers a listener that is called after each measurement, with whether this node's time has gone back by more than 5 s. */
  onMeasured(listener: (hasGoneBack: boolean) => void): void;
  close(): void;
}

export interface DatabaseClockOptions {
  /** A monotonic clock. */
  machine: Clock;
  /** This machine's time of day. */
  wall?: Clock;
  log: Log;
  every_ms?: number;
}

/** A slower response is discarded, because its time may be wrong by half of the round trip. */
const ROUND_TRIP_MS_MAX = 1 * SECOND_MS;
/** Measurements at the start, while none is quick enough. */
const FIRST_TRIES_MAX = 3;

interface Measurement {
  /** The database's time less the monotonic one, wrong by half of the round trip at most. */
  offsetMs: number;
  roundTripMs: number;
}

/**
 * Opens the database's clock.
 * @param store has a connection that queries of customers and of the worker do not take.
 * @throws where the database does not answer: a node without its time must not start.
 */
export async function openDatabaseClock(store: Store, options: DatabaseClockOptions): Promise<DatabaseClock> {
  const { machine, wall = systemClock, log, every_ms = MINUTE_MS } = options;
  const follower = new ClockFollower(machine, wall, await measureFirst(store, machine));
  const listeners = new Set<(hasGoneBack: boolean) => void>();
  let told = follower.problem();
  if (told !== null) log.warn({}, told);

  async function follow(): Promise<void> {
    const { offsetMs, roundTripMs } = await measure(store, machine);
    if (roundTripMs > ROUND_TRIP_MS_MAX) {
      log.warn({ round_trip_ms: roundTripMs }, "the database's time came too late to be taken over");
      return;
    }
    const measured = follower.measured(offsetMs);
    if (measured.kind === 'stepped') {
      log.warn({ by_ms: measured.by_ms }, "this node's time jumped to the database's");
    }
    const problem = follower.problem();
    // Logged once, because a growing step would log a line with each measurement.
    if (problem !== null && told === null) log.warn({}, problem);
    if (problem === null && told !== null) log.info({}, "the database's clock is right again");
    told = problem;
    const hasGoneBack = measured.kind === 'stepped' && measured.by_ms < 0;
    for (const listener of listeners) listener(hasGoneBack);
  }

  const timer = setInterval(() => {
    // The previous offset is still right to within a minute of drift, so a failed measurement can wait.
    follow().catch((error: unknown) => log.warn({ error }, "could not read the database's time"));
  }, every_ms);
  timer.unref();
  return {
    now: () => follower.now(),
    problem: () => follower.problem(),
    onMeasured: (listener) => void listeners.add(listener),
    close: () => clearInterval(timer),
  };
}

/** Returns the first offset that is quick enough, or else the quickest, so that a node also starts with a slow database. */
async function measureFirst(store: Store, machine: Clock): Promise<number> {
  let best = await measure(store, machine);
  for (let tries = 1; tries < FIRST_TRIES_MAX && best.roundTripMs > ROUND_TRIP_MS_MAX; tries++) {
    const next = await measure(store, machine);
    if (next.roundTripMs < best.roundTripMs) best = next;
  }
  return best.offsetMs;
}

/** Measures the offset. It waits for a connection first, so that the round trip is that of the query alone. */
function measure({ db }: Store, machine: Clock): Promise<Measurement> {
  return db.connection().execute(async (connection) => {
    const before = machine.now();
    const { rows } = await sql<{ now_ms: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms`.execute(connection);
    const after = machine.now();
    const offsetMs = (rows[0]?.now_ms ?? after) - Math.round((before + after) / 2);
    return { offsetMs, roundTripMs: after - before };
  });
}
