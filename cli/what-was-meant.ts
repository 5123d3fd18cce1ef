import { usageError } from './cli-error.ts';
import { nearestWord } from './nearest-word.ts';

interface TypedCommand {
  flags: object;
  baseFlags: object;
  usage?: string | string[] | undefined;
}

/** What oclif says of a command line that it cannot read, with what was meant where that can be told; any other error as it is. */
export function withWhatWasMeant(error: unknown, command: TypedCommand | undefined): unknown {
  if (!(error instanceof Error && 'oclif' in error) || command === undefined) return error;
  const [message = ''] = error.message.split('\nSee more help');
  const fix = nearestFlags(error, command) ?? nearestOption(message) ?? commandAfterDashes(error, command);
  return fix === null ? error : usageError(message.replace(/\.?$/, '.'), fix);
}

function nearestFlags(error: Error, { flags, baseFlags }: TypedCommand): string | null {
  const known = Object.keys({ ...baseFlags, ...flags }).map((name) => `--${name}`);
  const meant = typedIn(error, 'flags')
    .map((flag) => (flag.length > 3 ? nearestWord(flag.split('=')[0] ?? '', known) : null))
    .filter((flag) => flag !== null);
  return meant.length === 0 ? null : `Did you mean: ${meant.join(', ')}`;
}

/** Of a flag or an argument that takes one of a few words. oclif tells them in its message alone. */
function nearestOption(message: string): string | null {
  const [, typed = '', options = ''] =
    /^Expected (?:--[\w-]+=)?(.*) to be one of: (.*)$/s.exec(message) ?? [];
  const meant = nearestWord(typed, options.split(', '));
  return meant === null ? null : `Did you mean: ${meant}`;
}

/** For a command that runs another one. */
function commandAfterDashes(error: Error, { usage = '' }: TypedCommand): string | null {
  const typed = [...typedIn(error, 'args'), ...typedIn(error, 'flags')];
  if (typed.length === 0 || !String(usage).includes(' -- ')) return null;
  return 'Write the command after --: nameplate emulator exec -- npm test';
}

function typedIn(error: Error, field: 'args' | 'flags'): string[] {
  const typed: unknown = Reflect.get(error, field);
  return Array.isArray(typed) ? typed.map(String) : [];
}
