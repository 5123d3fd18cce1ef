import type { IdPrefix, makeId } from '../core/ids.ts';

/** Returns a buffer with this many random bytes. Everything that must be unpredictable uses `systemRandom`. */
export type Random = (bytes: number) => Uint8Array;

/** Creates an id that contains the clock's time. */
export type Ids = <P extends IdPrefix>(prefix: P) => ReturnType<typeof makeId<P>>;
