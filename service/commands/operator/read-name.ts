import { LIMITS } from '../../../shared/core/limits.ts';
import { CommandError } from './command-error.ts';

/** Returns a name without spaces around it. @throws CommandError `usage`. */
export function readTrimmedName(given: string): string {
  const name = given.trim();
  if (name !== '' && name.length <= LIMITS.name_chars_max) return name;
  throw new CommandError(
    'usage',
    'The name is empty or too long.',
    `Use 1 to ${LIMITS.name_chars_max} characters.`,
  );
}
