import { nearestWord } from '../../shared/core/text/nearest-word.ts';
import { shellQuote } from '../output/plain-text.ts';
import { type CliError, usageError } from '../runtime/cli-error.ts';
import type { CliConfig } from '../runtime/oclif-config.ts';

/** The flags that every command has, and whether a value follows the flag. */
export const GLOBAL_FLAGS: Readonly<Record<string, { hasValue: boolean }>> = {
  '--json': { hasValue: false },
  '--no-color': { hasValue: false },
  '--help': { hasValue: false },
  '-h': { hasValue: false },
  '--profile': { hasValue: true },
  '--base-url': { hasValue: true },
  '--jq': { hasValue: true },
};

/** Aliases for the last word of a command: `domains ls` runs `domains list`. */
const SHORT_WORDS: Readonly<Record<string, readonly string[]>> = { ls: ['list'], rm: ['remove', 'revoke'] };

export interface CommandMatch {
  /** The command that the words name. */
  id: string | undefined;
  /** The topic that the words name, if they name no command. */
  topic: string | undefined;
  /** The words of the command; without a command, all words that cannot be a flag or a flag's value. */
  words: string[];
  /** The command line without the words of the command. */
  rest: string[];
}

/**
 * Finds the command or the topic that a command line names. Flags may be anywhere, and only the command knows which of its flags take a
 * value. The function therefore treats a word after a flag as the flag's value, unless the command's name is incomplete without that word.
 */
export function findCommand(argv: readonly string[], config: CliConfig): CommandMatch {
  const words = wordsOf(argv, config);
  const matches = config.commandIDs.flatMap((id) => matchOf(id, words) ?? []);
  const [best] = matches.sort(
    (one, other) => one.values - other.values || other.used.length - one.used.length,
  );
  const plain = words.filter(({ mayBeValue }) => !mayBeValue).map(({ text }) => text);
  if (best === undefined) {
    const topic = plain.join(':');
    return {
      id: undefined,
      topic: isTopic(topic, config) ? topic : undefined,
      words: plain,
      rest: [...argv],
    };
  }
  const { id, used } = best;
  const rest = argv.filter((_, index) => !used.some(({ at }) => at === index));
  return { id, topic: undefined, words: used.map(({ text }) => text), rest };
}

/** A word of a command line that is not a flag, nor the value of a global flag. */
interface Word {
  text: string;
  /** The index of the word in the command line. */
  at: number;
  /** True if the word follows a flag that may take a value. */
  mayBeValue: boolean;
}

function wordsOf(argv: readonly string[], config: CliConfig): Word[] {
  const words: Word[] = [];
  let mayBeValue = false;
  let isValue = false;
  for (const [at, text] of argv.entries()) {
    if (text === '--') break;
    if (isValue) {
      isValue = false;
      continue;
    }
    if (text.startsWith('-') && text !== '-') {
      const [flag = ''] = text.split('=', 1);
      const known = GLOBAL_FLAGS[flag];
      const hasOwnValue = flag !== text;
      isValue = known?.hasValue === true && !hasOwnValue;
      mayBeValue = known === undefined && !hasOwnValue;
      continue;
    }
    for (const part of splitAtColons(text, config)) words.push({ text: part, at, mayBeValue });
    mayBeValue = false;
  }
  return words;
}

function isTopic(words: string | undefined, { topics }: CliConfig): boolean {
  return topics.some(({ name }) => name === words);
}

/** Splits a command that is written with colons, such as `domains:list`. An argument such as `acme.com:443` stays whole. */
function splitAtColons(word: string, config: CliConfig): string[] {
  const parts = word.split(':');
  return parts.length > 1 && isTopic(parts[0], config) ? parts : [word];
}

interface Match {
  id: string;
  used: Word[];
  /** The number of words in `used` that follow a flag and may be the flag's value instead. */
  values: number;
}

/** Returns the words of the command line that name the command `id`, or null. Skips a word only if it may be a flag's value. */
function matchOf(id: string, words: readonly Word[]): Match | null {
  const wanted = id.split(':');
  const used: Word[] = [];
  for (const word of words) {
    if (used.length === wanted.length) break;
    if (isSpelling(word.text, wanted, used.length)) used.push(word);
    else if (!word.mayBeValue) return null;
  }
  if (used.length < wanted.length) return null;
  return { id, used, values: used.filter(({ mayBeValue }) => mayBeValue).length };
}

function isSpelling(text: string, wanted: readonly string[], index: number): boolean {
  const word = wanted[index] ?? '';
  const isLast = index === wanted.length - 1;
  return text === word || (isLast && SHORT_WORDS[text]?.includes(word) === true);
}

/** Returns the error for an unknown command. The error suggests the most similar command. */
export function unknownCommand(argv: readonly string[], config: CliConfig): CliError {
  const { words } = findCommand(argv, config);
  const typed = words.join(' ');
  const names = config.commandIDs.map((id) => id.replaceAll(':', ' '));
  // The last words may be arguments, so also look for a command that resembles only the first words.
  const nearest = [typed, ...words.map((_, index) => words.slice(0, -1 - index).join(' '))]
    .map((start) => nearestWord(start, names))
    .find((name) => name !== null);
  const message = typed === '' ? 'Missing command.' : `There is no command "${typed}".`;
  const fix =
    nearest === undefined
      ? 'Run nameplate --help to see the commands.'
      : `Did you mean ${shellQuote(['nameplate', ...nearest.split(' ')])}?`;
  return usageError(message, fix);
}
