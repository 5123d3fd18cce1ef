import { nearestWord } from '../../shared/core/text/nearest-word.ts';
import { type CliError, usageError } from '../runtime/cli-error.ts';
import type { CliConfig } from '../runtime/oclif-config.ts';
import { shellQuote } from './shell-quote.ts';

/** Flags of every command, and whether a value follows. Only these may come before the command. */
export const GLOBAL_FLAGS: Readonly<Record<string, { hasValue: boolean }>> = {
  '--json': { hasValue: false },
  '--no-color': { hasValue: false },
  '--help': { hasValue: false },
  '-h': { hasValue: false },
  '--profile': { hasValue: true },
  '--base-url': { hasValue: true },
  '--jq': { hasValue: true },
};

/** Short forms of the last word of a command, as in `domains ls`. */
const SHORT_WORDS: Readonly<Record<string, readonly string[]>> = { ls: ['list'], rm: ['remove', 'revoke'] };

/** The three parts of a command line: `nameplate <leading flags> <words> <flags>`. */
interface CommandLine {
  leading: string[];
  /** The words of the command. The first is split at `:`, which oclif accepts between the words too. */
  words: string[];
  flags: string[];
}

/** Splits a command line. If a flag before the command is not global, the line has no words. */
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

export interface CommandMatch {
  /** The longest command that the words begin with. */
  id: string | undefined;
  /** The topic that the words name, if they name no command. */
  topic: string | undefined;
  /** The arguments for the command, or all the words if they name no command. */
  rest: string[];
}

/** Finds the command or the topic that a command line names. Moves leading flags behind the command. */
export function findCommand(argv: readonly string[], config: CliConfig): CommandMatch {
  const { leading, words, flags } = splitLine(argv);
  for (let length = words.length; length > 0; length--) {
    const id = spellings(words.slice(0, length)).find((each) => config.findCommand(each));
    if (id !== undefined)
      return { id, topic: undefined, rest: [...words.slice(length), ...leading, ...flags] };
  }
  const topic = words.join(':');
  return { id: undefined, topic: config.findTopic(topic) ? topic : undefined, rest: words };
}

/** Returns the ids that the words of a command may stand for. */
function spellings(words: readonly string[]): string[] {
  const last = words.at(-1) ?? '';
  return [last, ...(SHORT_WORDS[last] ?? [])].map((word) => [...words.slice(0, -1), word].join(':'));
}

/** Returns the error for an unknown command, suggesting the most similar one. */
export function unknownCommand(argv: readonly string[], config: CliConfig): CliError {
  const { words, flags } = splitLine(argv);
  const typed = words.join(' ');
  const names = config.commandIDs.map((id) => id.replaceAll(':', ' '));
  // Words after those of the command are its arguments.
  const nearest = [typed, ...words.map((_, index) => words.slice(0, -1 - index).join(' '))]
    .map((start) => nearestWord(start, names))
    .find((name) => name !== null);
  const message = typed === '' ? noCommand(flags) : `There is no command "${typed}".`;
  const fix =
    nearest === undefined
      ? 'Run nameplate --help to see the commands.'
      : `Did you mean ${shellQuote(['nameplate', ...nearest.split(' ')])}?`;
  return usageError(message, fix);
}

function noCommand([flag]: readonly string[]): string {
  if (flag === undefined) return 'Missing command.';
  return `${flag.split('=', 1)[0]} is not a global flag. Put the command before it.`;
}
