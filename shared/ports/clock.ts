import type { Instant } from '../core/instant.ts';

/**
 * The time by which everything is due: the database's time in the service, an adjustable one in the emulator.
 * The `t` of a signature comes from a second one, the wall clock, because receivers hold it against theirs.
 */
export interface Clock {
  now(): Instant;
}

/** Time that only grows, from an origin of its own: for ages of what is kept in memory, whatever a clock is set to. */
export const monotonicClock: Clock = { now: () => Math.floor(performance.now()) };

/** The machine's own time: the wall clock of signatures. */
export const systemClock: Clock = { now: () => Date.now() };
