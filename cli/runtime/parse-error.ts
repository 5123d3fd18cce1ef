import { stripVTControlCharacters } from 'node:util';
import { nearestWord } from '../../shared/core/text/nearest-word.ts';
import { argumentWords } from './argument-words.ts';
import { type CliError, usageError } from './cli-error.ts';

/** The parts of a command's class that explain a wrong command line. */
interface TypedCommand {
  id: string;
  args: Readonly<Record<string, Described>>;
  flags: Readonly<Record<string, Described>>;
  baseFlags: Readonly<Record<string, Described>>;
  usage?: string | string[] | undefined;
}

interface Described {
  type?: string;
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

interface Explanation {
  message: string;
  fix: string;
}

/** Returns a usage error in our own words for a command line that oclif cannot parse, and any other error as it is. */
export function explainParseError(error: unknown, command: TypedCommand | undefined): unknown {
  if (!(error instanceof Error && 'oclif' in error) || command === undefined) return error;
  const [message = ''] = stripVTControlCharacters(error.message).split('\nSee more help');
  for (const [pattern, explain] of EXPLANATIONS) {
    const match = pattern.exec(message);
    if (match) return explained(explain(match, command, error), error, command);
  }
  return error;
}

/** Refuses a value of a flag that takes none, such as `--json=true`: oclif would read it as an argument. @throws CliError `usage` */
export function refuseSwitchValues(argv: readonly string[], command: TypedCommand): void {
  const end = argv.indexOf('--');
  for (const word of end === -1 ? argv : argv.slice(0, end)) {
    const [, name] = /^--([\w-]+)=/.exec(word) ?? [];
    if (name === undefined || flagsOf(command)[name]?.type !== 'boolean') continue;
    throw usageError(`--${name} takes no value.`, `Write --${name} to set it, or leave it out.`);
  }
}

function explained({ message, fix }: Explanation, error: Error, command: TypedCommand): CliError {
  return usageError(message, commandAfterDashes(error, command) ?? fix);
}

type Explain = (match: RegExpExecArray, command: TypedCommand, error: Error) => Explanation;

/** Patterns of oclif's messages, in the order of its checks. Its errors have fields for names, but only the message says what is wrong. */
const EXPLANATIONS: readonly (readonly [RegExp, Explain])[] = [
  [/^Nonexistent flag/, unknownFlags],
  [/^Unexpected argument/, surplusArguments],
  [/^Missing \d+ required arg/, missingArguments],
  [
    /^Flag --(\S+) (?:expects a value|expects one of these values)/,
    ([, name = ''], command) => missingValue(name, command),
  ],
  [
    /^Flag --(\S+) can only be specified once/,
    ([, name = '']) => ({ message: `--${name} was given more than once.`, fix: 'Give it once.' }),
  ],
  [/^Parsing --(\S+) \n\tExpected an integer/, ([, name = ''], command) => wrongNumber(name, command)],
  [
    /^Expected --([\w-]+)=(.*) to be one of: (.*)$/s,
    ([, name = '', typed = '', options = '']) => wrongOption(`--${name}`, typed, options.split(', ')),
  ],
  [
    /^Expected (.*) to be one of: (.*)$/s,
    ([, typed = '', options = ''], command) =>
      wrongOption(argumentOf(options, command), typed, options.split(', ')),
  ],
  [/^The following errors? occurred:\s+(.*)$/s, ([, reasons = ''], command) => wrongFlags(reasons, command)],
];

function unknownFlags(_: RegExpExecArray, command: TypedCommand, error: Error): Explanation {
  const typed = typedIn(error, 'flags').map((flag) => flag.split('=')[0] ?? '');
  const known = Object.keys(flagsOf(command)).map((name) => `--${name}`);
  const meant = typed
    .map((flag) => (flag.length > 3 ? nearestWord(flag, known) : null))
    .filter((flag) => flag !== null);
  return {
    message: `There is no flag ${typed.join(' or ')}.`,
    fix: meant.length > 0 ? `Did you mean ${meant.join(', ')}?` : 'Add --help to see the flags.',
  };
}

function surplusArguments(_: RegExpExecArray, command: TypedCommand, error: Error): Explanation {
  const typed = typedIn(error, 'args').map((word) => `"${word}"`);
  return { message: `Too many arguments: ${typed.join(', ')}.`, fix: `Usage: ${usageOf(command)}` };
}

function missingArguments(_: RegExpExecArray, command: TypedCommand, error: Error): Explanation {
  const missing: unknown = Reflect.get(error, 'args');
  const names = Array.isArray(missing) ? missing.map(({ name }) => String(name)) : [];
  const lines = names.map((name) => {
    const { description = '', options } = command.args[name] ?? {};
    const about = options === undefined ? inSentence(description) : oneOf(options);
    return `Missing argument ${name.toUpperCase()}: ${about}`;
  });
  return { message: lines.join('\n'), fix: `Usage: ${usageOf(command)}` };
}

function missingValue(name: string, command: TypedCommand): Explanation {
  const flag = flagsOf(command)[name];
  const about = flag?.options === undefined ? inSentence(flag?.summary ?? '') : oneOf(flag.options);
  return { message: `--${name} needs a value: ${about}`, fix: `Use --${name} ${flagValue(flag)}.` };
}

function wrongNumber(name: string, command: TypedCommand): Explanation {
  const { min, max, default: byDefault } = flagsOf(command)[name] ?? {};
  const range = max === undefined ? ` of ${min} or more` : ` from ${min ?? 0} to ${max}`;
  return {
    message: `--${name} must be a whole number${min === undefined && max === undefined ? '' : range}.`,
    fix: `Give a number, such as --${name} ${typeof byDefault === 'number' ? byDefault : (min ?? 1)}.`,
  };
}

function wrongOption(subject: string, typed: string, options: readonly string[]): Explanation {
  const meant = nearestWord(typed, options);
  return {
    message: `${subject} must be ${oneOf(options).slice(0, -1)}, not "${typed}".`,
    fix: meant === null ? 'Use one of these values.' : `Did you mean ${meant}?`,
  };
}

/** Explains oclif's list of missing or conflicting flags, one per line. */
function wrongFlags(reasons: string, command: TypedCommand): Explanation {
  const explanations = reasons.split('\n').map((line) => flagReason(line.trim(), command));
  const fixes = [...new Set(explanations.map(({ fix }) => fix))];
  return { message: explanations.map(({ message }) => message).join('\n'), fix: fixes.join(' ') };
}

function flagReason(reason: string, command: TypedCommand): Explanation {
  const [, missing] = /^Missing required flag (\S+)$/.exec(reason) ?? [];
  if (missing !== undefined) {
    const flag = flagsOf(command)[missing];
    const message = `Missing flag --${missing}: ${inSentence(flag?.summary ?? '')}`;
    return { message, fix: `Add --${missing} ${flagValue(flag)}.` };
  }
  const [, one, other] = /^--([\w-]+)\b.* cannot also be provided when using --(\S+)$/s.exec(reason) ?? [];
  if (one !== undefined) {
    return { message: `--${other} and --${one} cannot be used together.`, fix: 'Use one of them.' };
  }
  const [, given, needed] =
    /^All of the following must be provided when using --(\S+): (.*)$/.exec(reason) ?? [];
  if (given !== undefined) return { message: `--${given} needs ${needed}.`, fix: `Add ${needed}.` };
  return { message: 'These flags do not go together.', fix: 'Add --help to see the flags.' };
}

/** Returns the fix for a command that runs another program, if the program's arguments were taken for its own; else null. */
function commandAfterDashes(error: Error, { usage = '' }: TypedCommand): string | null {
  const typed = [...typedIn(error, 'args'), ...typedIn(error, 'flags')];
  if (typed.length === 0 || !String(usage).includes(' -- ')) return null;
  return 'Put the command after --, as in nameplate emulator exec -- npm test.';
}

function usageOf({ id, args }: TypedCommand): string {
  return ['nameplate', ...id.split(':'), ...argumentWords(args)].join(' ');
}

/** Finds the argument that has these options, because oclif does not name it. */
function argumentOf(options: string, { args }: TypedCommand): string {
  const [name] = Object.entries(args).find(([, arg]) => arg.options?.join(', ') === options) ?? [];
  return name?.toUpperCase() ?? 'The argument';
}

function flagsOf({ flags, baseFlags }: TypedCommand): Readonly<Record<string, Described>> {
  return { ...baseFlags, ...flags };
}

function flagValue(flag: Described | undefined): string {
  return String(flag?.helpValue ?? (flag?.options ? `<${flag.options.join('|')}>` : '<value>'));
}

function oneOf(options: readonly string[]): string {
  const [last, ...rest] = options.toReversed();
  return rest.length === 0 ? `${last}.` : `${rest.toReversed().join(', ')} or ${last}.`;
}

/** Turns a summary into the end of a sentence. Keeps a first word in capitals as it is. */
function inSentence(summary: string): string {
  const text = /^[A-Z][a-z ]/.test(summary) ? `${summary[0]?.toLowerCase()}${summary.slice(1)}` : summary;
  return text.endsWith('…') ? text : `${text}.`;
}

function typedIn(error: Error, field: 'args' | 'flags'): string[] {
  const typed: unknown = Reflect.get(error, field);
  return Array.isArray(typed) ? typed.map(String) : [];
}
