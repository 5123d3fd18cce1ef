/** Parses `72h`, `90d`, `10s`, `250ms`, or a combination such as `1h30m`, to milliseconds. Returns null for any other text. */
export function readDuration(text: string): number | null {
  if (!/^(?:\d{1,9}(?:ms|s|m|h|d))+$/.test(text)) return null;
  const parts = [...text.matchAll(/(\d+)(ms|s|m|h|d)/g)];
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNITS_MS[unit] ?? 0), 0);
}

const UNITS_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
