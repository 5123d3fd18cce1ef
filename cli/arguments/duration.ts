import { readDuration } from '../../shared/core/text/duration.ts';
import { usageError } from '../runtime/cli-error.ts';

/** Milliseconds of a duration on the command line. @throws CliError `usage` */
export function durationMs(text: string): number {
  const duration_ms = readDuration(text);
  if (duration_ms !== null) return duration_ms;
  throw usageError(`"${text}" is not a duration.`, 'Write it as 90s, 10m, 1h30m, 72h or 2d.');
}
