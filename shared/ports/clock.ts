import type { Instant } from '../core/instant.ts';

/**
 * The time by which everything is due: the database's time in the service, an adjustable one in the emulator.
 * The `t` of a signature comes from a second one, the wall clock, because receivers hold it against theirs.
 */
export interface Clock {
  now(): Instant;
}

/** The machine's own time: the wall clock of signatures. */
export const systemClock: Clock = { now: () => Date.now() };
