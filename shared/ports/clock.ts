import type { Instant } from '../core/instant.ts';

/**
 * The time that decides what is due: the database's time in the service, an adjustable one in the emulator.
 * The `t` of signatures comes from a separate wall clock, because receivers compare it with their own.
 */
export interface Clock {
  now(): Instant;
}
