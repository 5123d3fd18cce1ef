import { randomBytes } from 'node:crypto';
import { ID_RANDOM_BYTES, type IdPrefix, makeId } from '../core/ids.ts';
import type { Clock } from './clock.ts';

/** Returns a buffer with this many random bytes. Everything that protects something uses `systemRandom`. */
export type Random = (bytes: number) => Uint8Array;

export const systemRandom: Random = (bytes) => {
  if (bytes > POOL_BYTES) return randomBytes(bytes);
  if (pool.length < bytes) pool = randomBytes(POOL_BYTES);
  const taken = new Uint8Array(pool.subarray(0, bytes));
  pool = pool.subarray(bytes);
  return taken;
};

/** Random bytes are requested in bulk, because each system call costs more than its bytes. No byte is used twice. */
const POOL_BYTES = 4096;
let pool = randomBytes(0);

/** Creates an id that contains the clock's time. */
export type Ids = <P extends IdPrefix>(prefix: P) => ReturnType<typeof makeId<P>>;

export function createIds(clock: Clock, random: Random): Ids {
  return (prefix) => makeId(prefix, clock.now(), random(ID_RANDOM_BYTES));
}
