const SECOND_MS = 1_000;

/** The units of an age, each with its length. An age is shown in the largest unit that is not longer than the age. */
const UNITS: readonly (readonly [unit: string, lengthMs: number])[] = [
  ['s', SECOND_MS],
  ['m', 60 * SECOND_MS],
  ['h', 3_600 * SECOND_MS],
  ['d', 86_400 * SECOND_MS],
];
/** Ages up to this many days are shown in days, because certificates are valid for 90 days. */
const DAYS_MAX = 120;
const DAYS_PER_MONTH = 30.44;
const MONTHS_MAX = 24;

/** Formats the distance of a time from now in one unit, such as `3m ago` or `in 2h`. Rounds down. */
export function ageWords(timestamp: string, nowMs: number): string {
  const awayMs = Date.parse(timestamp) - nowMs;
  const length = lengthWord(Math.abs(awayMs));
  if (length === null) return 'now';
  return awayMs > 0 ? `in ${length}` : `${length} ago`;
}

function lengthWord(lengthMs: number): string | null {
  const found = UNITS.findLast(([, unitMs]) => lengthMs >= unitMs);
  if (found === undefined) return null;
  const [unit, unitMs] = found;
  const count = Math.floor(lengthMs / unitMs);
  if (unit !== 'd' || count <= DAYS_MAX) return `${count}${unit}`;
  const months = Math.floor(count / DAYS_PER_MONTH);
  return months < MONTHS_MAX ? `${months}mo` : `${Math.floor(months / 12)}y`;
}
