import { durationMs } from '../arguments/duration.ts';

/** `--since`: a time, or a duration back from now. @returns milliseconds since the epoch. @throws CliError `usage` */
export function instantOf(text: string, now = Date.now()): number {
  const at = /^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? now - durationMs(text) : at;
}
