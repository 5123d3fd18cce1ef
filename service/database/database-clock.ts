import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { systemClock } from '../../shared/adapters/system.ts';
import { MINUTE_MS, SECOND_MS } from '../../shared/core/instant.ts';
import type { Clock, Log } from '../../shared/ports/system.ts';
import type { Store } from '../../shared/store/store.ts';
import { createClockFollower } from './clock-follower.ts';

/**
 * A clock that follows the database's time, so that all nodes agree. The clock measures its offset at the start and every minute, so that
 * reading the time needs no query.
 */
export interface DatabaseClock extends Clock {
  /** Returns the problem with the database's time, or null if there is none. */
  problem(): string | null;
  /**
   * Registers a listener that is called after each measurement. Its argument is true if this node's time has gone back by more than 5 s.
   */
  onMeasured(listener: (hasGoneBack: boolean) => void): void;
  close(): void;
}

export interface DatabaseClockOptions {
  /** A monotonic clock. */
  machine: Clock;
  /** This machine's time of day. */
  wall?: Clock;
  log: Log;
  everyMs?: number;
  /**
   * The time to wait for the first measurement. Afterwards, the clock shows this machine's time until there is a measurement. If absent,
   * the clock does not open without a measurement.
   */
  patienceMs?: number;
}

/** Measurements with a longer round trip are discarded, because their error may be half the round trip. */
const ROUND_TRIP_MS_MAX = 1 * SECOND_MS;
/** The maximum number of measurements at the start if none is fast enough. */
const FIRST_TRIES_MAX = 3;

interface Measurement {
  /** The database's time minus the monotonic time. Its error is at most half the round trip. */
  offsetMs: number;
  roundTripMs: number;
}

/**
 * Measures the database's time, and creates the clock that follows it.
 * @param store a store with a connection of its own, so that other queries do not delay the measurement.
 * @throws if the database does not respond, because a node with a database must not start without its time. Never throws with `patienceMs`.
 */
export async function openDatabaseClock(store: Store, options: DatabaseClockOptions): Promise<DatabaseClock> {
  const { machine, wall = systemClock, log, everyMs = MINUTE_MS } = options;
  const first = measureFirst(store, machine);
  const measuredMs = await (options.patienceMs === undefined ? first : within(first, options.patienceMs));
  let isMeasured = measuredMs !== null;
  let follower = createClockFollower(machine, wall, measuredMs ?? wall.now() - machine.now());
  const listeners = new Set<(hasGoneBack: boolean) => void>();
  let told = follower.problem();
  if (told !== null) log.warn({}, told);

  async function follow(): Promise<void> {
    const { offsetMs, roundTripMs } = await measure(store, machine);
    if (roundTripMs > ROUND_TRIP_MS_MAX) {
      log.warn({ round_trip_ms: roundTripMs }, "the response with the database's time was too slow to use");
      return;
    }
    if (!isMeasured) follower = createClockFollower(machine, wall, offsetMs);
    isMeasured = true;
    const measured = follower.measured(offsetMs);
    if (measured.kind === 'stepped') {
      log.warn({ by_ms: measured.byMs }, "this node's time jumped to the database's time");
    }
    const problem = follower.problem();
    // Log only when the problem begins, because a growing difference would otherwise add a line at each measurement.
    if (problem !== null && told === null) log.warn({}, problem);
    if (problem === null && told !== null) log.info({}, "the database's clock is correct again");
    told = problem;
    const hasGoneBack = measured.kind === 'stepped' && measured.byMs < 0;
    for (const listener of listeners) listener(hasGoneBack);
  }

  const timer = setInterval(() => {
    // After a failed measurement, wait for the next one, because clocks drift little in a minute.
    follow().catch((error: unknown) => log.warn({ error }, "could not read the database's time"));
  }, everyMs);
  timer.unref();
  return {
    now: () => follower.now(),
    problem: () => follower.problem(),
    onMeasured: (listener) => void listeners.add(listener),
    close: () => clearInterval(timer),
  };
}

/** Returns the result of a measurement; null if it fails or takes longer. */
function within(measuring: Promise<number>, patienceMs: number): Promise<number | null> {
  return Promise.race([measuring.catch(() => null), delay(patienceMs, null, { ref: false })]);
}

/**
 * Returns the offset of the first fast measurement. If no measurement is fast enough, returns the offset of the fastest one, so that a node
 * can start with a slow database.
 */
async function measureFirst(store: Store, machine: Clock): Promise<number> {
  let best = await measure(store, machine);
  for (let tries = 1; tries < FIRST_TRIES_MAX && best.roundTripMs > ROUND_TRIP_MS_MAX; tries++) {
    const next = await measure(store, machine);
    if (next.roundTripMs < best.roundTripMs) best = next;
  }
  return best.offsetMs;
}

/** Measures the offset of the database's time. Gets a connection first, so that the round trip contains only the query. */
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
