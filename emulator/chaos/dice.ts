/** Returns the next pseudo-random number in [0, 1). The same seed gives the same numbers. */
export type Dice = () => number;

/** Creates repeatable pseudo-random numbers. Not for secrets. @param seed any text; the same text gives the same numbers. */
export function createDice(seed: string): Dice {
  let state = fnv1a(seed);
  // The Mulberry32 generator.
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
