import { editDistance } from '../shared/core/edit-distance.ts';
import { usageError } from './cli-error.ts';

const FAR = 3;

/** What oclif says of flags that a command does not have, with those that were meant; any other error as it is. */
export function withNearestFlags(
  error: unknown,
  command: { flags: object; baseFlags: object } | undefined,
): unknown {
  const typed = error instanceof Error && 'oclif' in error && 'flags' in error ? error.flags : null;
  if (!Array.isArray(typed) || command === undefined) return error;
  const known = Object.keys({ ...command.baseFlags, ...command.flags }).map((name) => `--${name}`);
  const meant = typed
    .map((flag) => nearest(String(flag).split('=')[0] ?? '', known))
    .filter((flag) => flag !== null);
  if (meant.length === 0) return error;
  const [message = ''] = (error as Error).message.split('\n');
  return usageError(`${message}.`, `Did you mean: ${meant.join(', ')}`);
}

function nearest(typed: string, known: readonly string[]): string | null {
  const [best] = known
    .map((flag) => ({ flag, distance: flag.startsWith(typed) ? 1 : editDistance(typed, flag) }))
    .sort((one, other) => one.distance - other.distance);
  return best !== undefined && typed.length > 3 && best.distance <= FAR ? best.flag : null;
}
