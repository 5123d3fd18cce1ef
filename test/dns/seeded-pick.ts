export type Pick = <T>(from: readonly [T, ...T[]]) => T;

/** Returns a function that picks random elements, with a linear congruential generator (Numerical Recipes). */
export function seededPick(seed: number): Pick {
  let state = seed >>> 0;
  return (from) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return from[Math.floor((state / 2 ** 32) * from.length)] ?? from[0];
  };
}
