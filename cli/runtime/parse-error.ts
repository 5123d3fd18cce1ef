import { CLIError } from '@oclif/core/errors';
import { integer } from '@oclif/core/flags';
import { nearestWord } from '../../shared/core/text/nearest-word.ts';
import { type CliError, usageError } from './cli-error.ts';
import { usageOf } from './oclif-config.ts';

/** The parts of a command's class that are needed to explain a wrong command line. */
interface TypedCommand {
  id: string;
  args: Readonly<Record<string, Described>>;
  flags: Readonly<Record<string, Described>>;
  baseFlags: Readonly<Record<string, Described>>;
  usage?: string | string[] | undefined;
}

interface Described {
  type?: string;
  char?: string | undefined;
  allowNo?: boolean;
  parse?: unknown;
  description?: string | undefined;
  summary?: string | undefined;
  required?: boolean | undefined;
  multiple?: boolean | undefined;
  options?: readonly string[] | undefined;
  helpValue?: string | string[] | undefined;
  default?: unknown;
  min?: number;
  max?: number;
}

/** The fields of oclif's parser errors, whose classes oclif does not export. An error has `flags`, `args`, or neither. */
interface ParserFields {
  /** The unknown flags. */
  flags?: string[];
  /** The surplus words, or the missing arguments. */
  args?: string[] | { name: string }[];
  /** The parsed command line, if every flag and argument is known. */
  parse: {
    input: { flags: Record<string, Described & { exclusive?: string[]; dependsOn?: string[] }> };
    output: {
      flags: Record<string, unknown>;
      metadata: { flags: Record<string, { setFromDefault?: boolean }> };
    };
  };
}

/** oclif's function that parses a whole number. A flag with this function is an integer flag; oclif has no other mark for it. */
const { parse: parseInteger } = integer();

/**
 * Checks each word of a command line before oclif parses it. oclif reports the same problems, but only as a message, without the fields
 * that a fix needs.
 * @throws CliError `usage`
 */
export function checkWords(argv: readonly string[], command: TypedCommand): void {
  const flags = new Map(Object.entries({ ...command.baseFlags, ...command.flags }));
  const words: string[] = [];
  const seen = new Set<string>();
  for (let at = 0; at < argv.length && argv[at] !== '--'; at++) {
    const word = argv[at] ?? '';
    const typed = flagIn(word, flags);
    if (typed === null) {
      if (!word.startsWith('-') || word === '-') words.push(word);
      continue;
    }
    const { name, flag } = typed;
    if (flag.type === 'boolean') {
      if (!word.startsWith('--') || typed.value === undefined) continue;
      throw usageError(`--${name} takes no value.`, `Write --${name} to set it, or leave it out.`);
    }
    const value = typed.value ?? argv[++at];
    if (value === undefined || flagIn(value, flags) !== null) throw missingValue(name, flag);
    if (seen.has(name) && !flag.multiple)
      throw usageError(`--${name} was given more than once.`, 'Give it once.');
    seen.add(name);
    if (flag.options?.includes(value) === false) throw wrongOption(`--${name}`, value, flag.options);
    if (flag.parse === parseInteger && !isInRange(value, flag)) throw wrongNumber(name, flag);
  }
  const args = Object.entries(command.args);
  const several = args.findIndex(([, { multiple }]) => multiple);
  for (const [index, [name, { options }]] of args.entries()) {
    // If an argument takes several values, the arguments after it get the last words of the command line.
    const word = words.at(several !== -1 && index > several ? index - args.length : index);
    if (word !== undefined && options?.includes(word) === false)
      throw wrongOption(name.toUpperCase(), word, options);
  }
}

/** Returns the flag that a word names, and the value that the word contains, as in `--limit=5`. Returns null if the word names no flag. */
function flagIn(word: string, flags: ReadonlyMap<string, Described>) {
  const [, typed, equals, rest = ''] = /^(--[^=]+|-[^-=])(=?)(.*)$/s.exec(word) ?? [];
  for (const [name, flag] of flags) {
    const isNamed = typed === `--${name}` || typed === `-${flag.char}`;
    if (isNamed || (flag.allowNo && typed === `--no-${name}`))
      return { name, flag, value: equals === '' && rest === '' ? undefined : rest };
  }
  return null;
}

/** Replaces an error of oclif's parser with a usage error in our own words. Returns any other error unchanged. */
export function explainParseError(error: unknown, command: TypedCommand | undefined): unknown {
  if (!(error instanceof CLIError && 'parse' in error) || command === undefined) return error;
  const { flags, args, parse } = error as unknown as ParserFields;
  if (flags !== undefined) return unknownFlags(flags, command);
  if (args === undefined) return wrongFlags(parse);
  const missing = args.flatMap((arg) => (typeof arg === 'string' ? [] : [arg.name]));
  return missing.length > 0 ? missingArguments(missing, command) : surplusWords(args.map(String), command);
}

function unknownFlags(flags: readonly string[], command: TypedCommand): CliError {
  const typed = flags.map((flag) => flag.split('=')[0] ?? '');
  const known = Object.keys({ ...command.baseFlags, ...command.flags }).map((name) => `--${name}`);
  const meant = typed.flatMap((flag) => (flag.length > 3 ? (nearestWord(flag, known) ?? []) : []));
  const fix = meant.length > 0 ? `Did you mean ${meant.join(', ')}?` : 'Add --help to see the flags.';
  return usageError(`There is no flag ${typed.join(' or ')}.`, afterDashes(command) ?? fix);
}

function surplusWords(words: readonly string[], command: TypedCommand): CliError {
  const typed = words.map((word) => `"${word}"`).join(', ');
  return usageError(
    `Too many arguments: ${typed}.`,
    afterDashes(command) ?? `Usage: nameplate ${usageOf(command.id, command.args)}`,
  );
}

function missingArguments(names: readonly string[], command: TypedCommand): CliError {
  const lines = names.map((name) => `Missing argument ${name.toUpperCase()}: ${about(command.args[name])}`);
  return usageError(lines.join('\n'), `Usage: nameplate ${usageOf(command.id, command.args)}`);
}

function missingValue(name: string, flag: Described): CliError {
  return usageError(`--${name} needs a value: ${about(flag)}`, `Use --${name} ${flagValue(flag)}.`);
}

function isInRange(text: string, { min = -Infinity, max = Infinity }: Described): boolean {
  return /^-?\d+$/.test(text) && Number(text) >= min && Number(text) <= max;
}

function wrongNumber(name: string, { min, max, default: byDefault }: Described): CliError {
  const range = max === undefined ? ` of ${min} or more` : ` from ${min ?? 0} to ${max}`;
  return usageError(
    `--${name} must be a whole number${min === undefined && max === undefined ? '' : range}.`,
    `Give a number, such as --${name} ${typeof byDefault === 'number' ? byDefault : (min ?? 1)}.`,
  );
}

function wrongOption(subject: string, typed: string, options: readonly string[]): CliError {
  const meant = nearestWord(typed, options);
  return usageError(
    `${subject} must be ${oneOf(options).slice(0, -1)}, not "${typed}".`,
    meant === null ? 'Use one of these values.' : `Did you mean ${meant}?`,
  );
}

/** Returns an error that names the missing flags and the flags that exclude each other. */
function wrongFlags({ input, output }: ParserFields['parse']): CliError {
  const isGiven = (name: string) =>
    output.flags[name] !== undefined && output.metadata.flags[name]?.setFromDefault !== true;
  const messages: string[] = [];
  const fixes = new Set<string>();
  const note = (message: string, fix: string) => {
    messages.push(message);
    fixes.add(fix);
  };
  for (const [name, flag] of Object.entries(input.flags)) {
    const { required, exclusive = [], dependsOn = [] } = flag;
    if (!isGiven(name)) {
      if (required)
        note(
          `Missing flag --${name}: ${about({ summary: flag.summary })}`,
          `Add --${name} ${flagValue(flag)}.`,
        );
      continue;
    }
    const needed = dependsOn.map((each) => `--${each}`).join(', ');
    if (!dependsOn.every(isGiven)) note(`--${name} needs ${needed}.`, `Add ${needed}.`);
    const other = exclusive.find(isGiven);
    if (other !== undefined) note(`--${name} and --${other} cannot be used together.`, 'Use one of them.');
  }
  return usageError(messages.join('\n'), [...fixes].join(' '));
}

/**
 * Returns a fix for a command that runs another program, because the user may have forgotten the `--` before that program. Returns null for
 * other commands.
 */
function afterDashes({ usage = '' }: TypedCommand): string | null {
  if (!String(usage).includes(' -- ')) return null;
  return 'Put the command after --, as in nameplate emulator exec -- npm test.';
}

function flagValue({ helpValue, options }: Described): string {
  return String(helpValue ?? (options ? `<${options.join('|')}>` : '<value>'));
}

function oneOf(options: readonly string[]): string {
  const [last, ...rest] = options.toReversed();
  return rest.length === 0 ? `${last}.` : `${rest.toReversed().join(', ')} or ${last}.`;
}

/** Describes a flag or an argument as the end of a sentence. Starts in lowercase, unless the first word is an abbreviation in capitals. */
function about({ options, summary, description = '' }: Described = {}): string {
  if (options !== undefined) return oneOf(options);
  const words = summary ?? description;
  const text = /^[A-Z][a-z ]/.test(words) ? `${words[0]?.toLowerCase()}${words.slice(1)}` : words;
  return text.endsWith('…') ? text : `${text}.`;
}
