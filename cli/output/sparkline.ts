/** The bars of a line, from the lowest to the highest. The first one stands for zero only. */
const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** Draws values as a line of bars of at most `width` columns. The largest value has a full bar. Null leaves a gap. */
export function sparkline(values: readonly (number | null)[], width: number): string {
  const drawn = fitted(values, Math.max(1, width));
  const largest = Math.max(0, ...drawn.map((value) => value ?? 0));
  return drawn.map((value) => (value === null ? ' ' : barOf(value, largest))).join('');
}

/** A value over zero never looks like zero. */
function barOf(value: number, largest: number): string {
  const height = value <= 0 ? 0 : Math.max(1, Math.round((value / largest) * (BARS.length - 1)));
  return BARS[height] ?? BARS[0];
}

/** Joins neighbours until the values fit. The largest of them stands for all, so that no peak is lost. */
function fitted(values: readonly (number | null)[], width: number): (number | null)[] {
  const size = Math.ceil(values.length / width);
  if (size <= 1) return [...values];
  return Array.from({ length: Math.ceil(values.length / size) }, (_, at) => {
    const known = values.slice(at * size, (at + 1) * size).filter((value) => value !== null);
    return known.length === 0 ? null : Math.max(...known);
  });
}
