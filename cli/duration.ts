import { usageError } from './cli-error.ts';

const UNITS_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `10m`, `72h`, `1h30m`, `2d`. */
export function durationMs(text: string): number {
  const parts = [...text.matchAll(/(\d{1,9})(ms|s|m|h|d)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) {
    throw usageError(`"${text}" is not a duration.`, 'Write it as 90s, 10m, 1h30m, 72h or 2d.');
  }
  return parts.reduce((sum, [, amount = '', unit = '']) => sum + Number(amount) * (UNITS_MS[unit] ?? 0), 0);
}
