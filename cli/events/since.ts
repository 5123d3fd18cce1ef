import { durationMs } from '../arguments/duration.ts';

/** Reads `--since`: a time, or a duration before now. Returns milliseconds since the epoch. @throws CliError `usage` */
export function instantOf(text: string, now = Date.now()): number {
  const at = /^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? now - durationMs(text) : at;
}
