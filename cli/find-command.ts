import { editDistance } from '../shared/core/edit-distance.ts';
import { type CliError, usageError } from './cli-error.ts';
import type { CliConfig } from './oclif-config.ts';
import { shellQuote } from './shell-quote.ts';

/** The words before the first flag, split at `:` as oclif also writes commands. */
function wordsOf(argv: readonly string[]): string[] {
  const end = argv.findIndex((word) => word.startsWith('-'));
  return (end === -1 ? [...argv] : argv.slice(0, end)).flatMap((word, index) =>
    index === 0 ? word.split(':') : [word],
  );
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
  const words = wordsOf(argv);
  for (let length = words.length; length > 0; length--) {
    const id = words.slice(0, length).join(':');
    if (config.findCommand(id))
      return { id, topic: undefined, rest: [...words.slice(length), ...flagsOf(argv)] };
  }
  const topic = words.join(':');
  return { id: undefined, topic: config.findTopic(topic) ? topic : undefined, rest: words };
}

/** The error for words that name no command, with the nearest one that there is. */
export function unknownCommand(argv: readonly string[], config: CliConfig): CliError {
  const words = wordsOf(argv);
  const typed = words.join(' ');
  const nearest = config.commandIDs
    .map((id) => id.replaceAll(':', ' '))
    .map((name) => ({ name, distance: editDistance(words.slice(0, name.split(' ').length).join(' '), name) }))
    .sort((one, other) => one.distance - other.distance)[0];
  const message = typed === '' ? 'A command comes before its flags.' : `There is no command "${typed}".`;
  const is_near = nearest !== undefined && nearest.distance <= 3;
  const fix = is_near
    ? `Did you mean: ${shellQuote(['nameplate', ...nearest.name.split(' ')])}`
    : 'Run nameplate --help to see the commands.';
  return usageError(message, fix);
}

function flagsOf(argv: readonly string[]): string[] {
  const end = argv.findIndex((word) => word.startsWith('-'));
  return end === -1 ? [] : argv.slice(end);
}
