import type { Instant } from '../core/instant.ts';

/**
 * The time that decides what is due: the database's time in the service, an adjustable one in the emulator.
 * The `t` of signatures comes from a separate wall clock, because receivers compare it with their own.
 */
export interface Clock {
  now(): Instant;
}

/** Time that only grows, from an arbitrary origin. Measures the age of data in memory, unaffected by changes to any clock. */
export const monotonicClock: Clock = { now: () => Math.floor(performance.now()) };

/** The machine's own time, used as the wall clock for signatures. */
export const systemClock: Clock = { now: () => Date.now() };
