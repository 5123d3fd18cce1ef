import { editDistance } from '../../shared/core/text/edit-distance.ts';
import { type CliError, usageError } from '../runtime/cli-error.ts';
import type { CliConfig } from '../runtime/oclif-config.ts';
import { shellQuote } from './shell-quote.ts';

/** Flags that every command takes, and whether a value follows. Only these may come before the command. */
export const GLOBAL_FLAGS: Readonly<Record<string, { hasValue: boolean }>> = {
  '--json': { hasValue: false },
  '--no-color': { hasValue: false },
  '--help': { hasValue: false },
  '-h': { hasValue: false },
  '--profile': { hasValue: true },
  '--base-url': { hasValue: true },
};

/** A command line in three parts: `nameplate <leading flags> <words> <flags>`. */
interface CommandLine {
  leading: string[];
  /** Words of the command, split at `:` because oclif also separates them so. */
  words: string[];
  flags: string[];
}

/** Splits a command line. A flag that is not global ends the leading ones, so that the line has no words. */
function splitLine(argv: readonly string[]): CommandLine {
  let start = 0;
  while (start < argv.length) {
    const [flag = '', value] = (argv[start] ?? '').split('=', 2);
    const known = GLOBAL_FLAGS[flag];
    if (!known) break;
    start += known.hasValue && value === undefined ? 2 : 1;
  }
  const rest = argv.slice(start);
  const firstFlag = rest.findIndex((word) => word.startsWith('-'));
  const end = firstFlag === -1 ? rest.length : firstFlag;
  return {
    leading: argv.slice(0, start),
    words: rest.slice(0, end).flatMap((word, index) => (index === 0 ? word.split(':') : [word])),
    flags: rest.slice(end),
  };
}

export interface Lookup {
  /** The command, when the words begin with one; the longest one counts. */
  id: string | undefined;
  /** The topic, when the words are one and no command. */
  topic: string | undefined;
  /** What is left for the command; all words when they name none. */
  rest: string[];
}

export function findCommand(argv: readonly string[], config: CliConfig): Lookup {
  const { leading, words, flags } = splitLine(argv);
  for (let length = words.length; length > 0; length--) {
    const id = words.slice(0, length).join(':');
    if (config.findCommand(id))
      return { id, topic: undefined, rest: [...words.slice(length), ...leading, ...flags] };
  }
  const topic = words.join(':');
  return { id: undefined, topic: config.findTopic(topic) ? topic : undefined, rest: words };
}

/** The error for words that name no command, with the nearest one that there is. */
export function unknownCommand(argv: readonly string[], config: CliConfig): CliError {
  const { words, flags } = splitLine(argv);
  const typed = words.join(' ');
  const nearest = config.commandIDs
    .map((id) => id.replaceAll(':', ' '))
    .map((name) => ({ name, distance: editDistance(words.slice(0, name.split(' ').length).join(' '), name) }))
    .sort((one, other) => one.distance - other.distance)[0];
  const message = typed === '' ? noCommand(flags) : `There is no command "${typed}".`;
  const is_near = nearest !== undefined && nearest.distance <= 3;
  const fix = is_near
    ? `Did you mean: ${shellQuote(['nameplate', ...nearest.name.split(' ')])}`
    : 'Run nameplate --help to see the commands.';
  return usageError(message, fix);
}

function noCommand([flag]: readonly string[]): string {
  if (flag === undefined) return 'The command is missing.';
  return `${flag.split('=', 1)[0]} is not a global flag: write the command before it.`;
}
