/** Pseudo-random choices. The same seed gives the same choices. */
export interface Dice {
  /** Returns an integer from 0 up to, but not including, the limit. */
  below(limit: number): number;
  /** Returns true with this probability. */
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Chooses a group by weight, and returns a random item of the group. */
  pickGroup<T>(groups: readonly (readonly [weight: number, list: readonly T[]])[]): T;
  bytes(length: number): Buffer;
}

/** Returns the dice for one connection. They do not depend on other connections, so each connection can be repeated alone. */
export function diceOf(seed: number, index: number): Dice {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0;
  /** The generator is Mulberry32, which is small, fast, and random enough for choices. */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <T>(list: readonly T[]): T => {
    const picked = list[below(list.length)];
    if (picked === undefined) throw new RangeError('there is nothing to pick from');
    return picked;
  };
  return {
    below,
    pick,
    chance: (share) => next() < share,
    pickGroup(groups) {
      let left = next() * groups.reduce((sum, [weight]) => sum + weight, 0);
      const found = groups.find(([weight]) => {
        left -= weight;
        return left < 0;
      });
      return pick((found ?? groups[0])?.[1] ?? []);
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}
