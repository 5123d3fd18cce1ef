import { randomBytes } from 'node:crypto';
import { ID_RANDOM_BYTES, makeId } from '../core/ids.ts';
import type { Clock, Ids, Notice, Notices, Random } from '../ports/system.ts';

/**
 * A clock that starts at an arbitrary time and never goes back. It measures the age of data in memory, whatever happens to other clocks.
 */
export const monotonicClock: Clock = { now: () => Math.floor(performance.now()) };

/** The machine's own time, used as the wall clock for signatures. */
export const systemClock: Clock = { now: () => Date.now() };

/** Creates notices that reach the listeners of this process only. */
export function createLocalNotices(): Notices {
  const listeners = new Set<(notice: Notice) => void>();
  return {
    publish(notice) {
      for (const listener of listeners) listener(notice);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const systemRandom: Random = (bytes) => {
  if (bytes > POOL_BYTES) return randomBytes(bytes);
  if (pool.length < bytes) pool = randomBytes(POOL_BYTES);
  const taken = new Uint8Array(pool.subarray(0, bytes));
  pool = pool.subarray(bytes);
  return taken;
};

/** Number of random bytes that are requested at once, because a system call costs more than its bytes. No byte is used twice. */
const POOL_BYTES = 4096;
let pool = randomBytes(0);

export function createIds(clock: Clock, random: Random): Ids {
  return (prefix) => makeId(prefix, clock.now(), random(ID_RANDOM_BYTES));
}
