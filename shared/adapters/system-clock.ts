import type { Clock } from '../ports/system.ts';

/** Time that only increases, from an arbitrary origin. It measures the age of data in memory, unaffected by changes to any clock. */
export const monotonicClock: Clock = { now: () => Math.floor(performance.now()) };

/** The machine's own time, used as the wall clock for signatures. */
export const systemClock: Clock = { now: () => Date.now() };
