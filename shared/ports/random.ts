import { randomFillSync } from 'node:crypto';
import { ID_RANDOM_BYTES, type IdPrefix, makeId } from '../core/ids.ts';
import type { Clock } from './clock.ts';

/** Fills and returns a buffer of so many bytes. Anything that guards something takes the system's. */
export type Random = (bytes: number) => Uint8Array;

export const systemRandom: Random = (bytes) => randomFillSync(new Uint8Array(bytes));

/** Makes ids of the clock's time. */
export type Ids = <P extends IdPrefix>(prefix: P) => ReturnType<typeof makeId<P>>;

export function createIds(clock: Clock, random: Random): Ids {
  return (prefix) => makeId(prefix, clock.now(), random(ID_RANDOM_BYTES));
}
