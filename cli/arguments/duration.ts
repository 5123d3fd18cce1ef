import { readDuration } from '../../shared/core/text/duration.ts';
import { usageError } from '../runtime/cli-error.ts';

/** Reads a duration from the command line, in milliseconds. @throws CliError `usage` */
export function durationMs(text: string): number {
  const durationMs = readDuration(text);
  if (durationMs !== null) return durationMs;
  throw usageError(`"${text}" is not a duration.`, 'Give a duration such as 90s, 10m, 1h30m, 72h or 2d.');
}
