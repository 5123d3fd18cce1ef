import { stripVTControlCharacters } from 'node:util';
import { type CliError, usageError } from './cli-error.ts';
import { nearestWord } from './nearest-word.ts';

/** As much of a command's class as explains a wrong command line. */
interface TypedCommand {
  id: string;
  args: Readonly<Record<string, Described>>;
  flags: Readonly<Record<string, Described>>;
  baseFlags: Readonly<Record<string, Described>>;
  usage?: string | string[] | undefined;
}

interface Described {
  description?: string | undefined;
  summary?: string | undefined;
  required?: boolean | undefined;
  options?: readonly string[] | undefined;
  helpValue?: string | string[] | undefined;
  default?: unknown;
  min?: number;
  max?: number;
}

interface Told {
  message: string;
  fix: string;
}

/** Returns a usage error in our own words for a command line that oclif cannot parse, and any other error as it is. */
export function explainParseError(error: unknown, command: TypedCommand | undefined): unknown {
  if (!(error instanceof Error && 'oclif' in error) || command === undefined) return error;
  const [message = ''] = stripVTControlCharacters(error.message).split('\nSee more help');
  for (const [pattern, tell] of EXPLANATIONS) {
    const match = pattern.exec(message);
    if (match) return explained(tell(match, command, error), error, command);
  }
  return error;
}

function explained({ message, fix }: Told, error: Error, command: TypedCommand): CliError {
  return usageError(message, commandAfterDashes(error, command) ?? fix);
}

type Tell = (match: RegExpExecArray, command: TypedCommand, error: Error) => Told;

/** What oclif says, in the order of its checks. Its errors carry names in fields, and the rest in the message alone. */
const EXPLANATIONS: readonly (readonly [RegExp, Tell])[] = [
  [/^Nonexistent flag/, unknownFlags],
  [/^Unexpected argument/, surplusArguments],
  [/^Missing \d+ required arg/, missingArguments],
  [
    /^Flag --(\S+) (?:expects a value|expects one of these values)/,
    ([, name = ''], command) => missingValue(name, command),
  ],
  [
    /^Flag --(\S+) can only be specified once/,
    ([, name = '']) => ({ message: `--${name} is given more than once.`, fix: 'Give it once.' }),
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

function unknownFlags(_: RegExpExecArray, command: TypedCommand, error: Error): Told {
  const typed = typedIn(error, 'flags').map((flag) => flag.split('=')[0] ?? '');
  const known = Object.keys(flagsOf(command)).map((name) => `--${name}`);
  const meant = typed
    .map((flag) => (flag.length > 3 ? nearestWord(flag, known) : null))
    .filter((flag) => flag !== null);
  return {
    message: `There is no flag ${typed.join(' or ')}.`,
    fix: meant.length > 0 ? `Did you mean: ${meant.join(', ')}` : 'Add --help to see the flags.',
  };
}

function surplusArguments(_: RegExpExecArray, command: TypedCommand, error: Error): Told {
  const typed = typedIn(error, 'args').map((word) => `"${word}"`);
  return { message: `Too many arguments: ${typed.join(', ')}.`, fix: `Write it as: ${usageOf(command)}` };
}

function missingArguments(_: RegExpExecArray, command: TypedCommand, error: Error): Told {
  const missing: unknown = Reflect.get(error, 'args');
  const names = Array.isArray(missing) ? missing.map(({ name }) => String(name)) : [];
  const lines = names.map((name) => {
    const { description = '', options } = command.args[name] ?? {};
    const about = options === undefined ? inSentence(description) : oneOf(options);
    return `The argument ${name.toUpperCase()} is missing: ${about}`;
  });
  return { message: lines.join('\n'), fix: `Write it as: ${usageOf(command)}` };
}

function missingValue(name: string, command: TypedCommand): Told {
  const flag = flagsOf(command)[name];
  const about = flag?.options === undefined ? inSentence(flag?.summary ?? '') : oneOf(flag.options);
  return { message: `--${name} needs a value: ${about}`, fix: `Write --${name} ${flagValue(flag)}.` };
}

function wrongNumber(name: string, command: TypedCommand): Told {
  const { min, max, default: byDefault } = flagsOf(command)[name] ?? {};
  const range = max === undefined ? ` of ${min} or more` : ` from ${min ?? 0} to ${max}`;
  return {
    message: `--${name} must be a whole number${min === undefined && max === undefined ? '' : range}.`,
    fix: `Write a number, such as --${name} ${typeof byDefault === 'number' ? byDefault : (min ?? 1)}.`,
  };
}

function wrongOption(subject: string, typed: string, options: readonly string[]): Told {
  const meant = nearestWord(typed, options);
  return {
    message: `${subject} must be ${oneOf(options).slice(0, -1)}, not "${typed}".`,
    fix: meant === null ? 'Write one of them.' : `Did you mean: ${meant}`,
  };
}

/** The reasons of oclif, a line each, for flags that are missing or do not go together. */
function wrongFlags(reasons: string, command: TypedCommand): Told {
  const told = reasons.split('\n').map((line) => flagReason(line.trim(), command));
  const fixes = [...new Set(told.map(({ fix }) => fix))];
  return { message: told.map(({ message }) => message).join('\n'), fix: fixes.join(' ') };
}

function flagReason(reason: string, command: TypedCommand): Told {
  const [, missing] = /^Missing required flag (\S+)$/.exec(reason) ?? [];
  if (missing !== undefined) {
    const flag = flagsOf(command)[missing];
    const message = `The flag --${missing} is missing: ${inSentence(flag?.summary ?? '')}`;
    return { message, fix: `Add --${missing} ${flagValue(flag)}.` };
  }
  const [, one, other] = /^--([\w-]+)\b.* cannot also be provided when using --(\S+)$/s.exec(reason) ?? [];
  if (one !== undefined) {
    return { message: `--${other} and --${one} do not go together.`, fix: 'Give one of them.' };
  }
  const [, given, needed] =
    /^All of the following must be provided when using --(\S+): (.*)$/.exec(reason) ?? [];
  if (given !== undefined) return { message: `--${given} needs ${needed}.`, fix: `Add ${needed}.` };
  return { message: reason, fix: 'Add --help to see the flags.' };
}

/** For a command that runs another one, whose words were taken for its own. */
function commandAfterDashes(error: Error, { usage = '' }: TypedCommand): string | null {
  const typed = [...typedIn(error, 'args'), ...typedIn(error, 'flags')];
  if (typed.length === 0 || !String(usage).includes(' -- ')) return null;
  return 'Write the command after --: nameplate emulator exec -- npm test';
}

function usageOf({ id, args }: TypedCommand): string {
  const words = Object.entries(args).map(([name, { required }]) =>
    required ? name.toUpperCase() : `[${name.toUpperCase()}]`,
  );
  return ['nameplate', ...id.split(':'), ...words].join(' ');
}

/** The argument that takes these words; oclif does not say which one it was. */
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

/** A summary as the end of a sentence; a word in capitals stays as it is. */
function inSentence(summary: string): string {
  const text = /^[A-Z][a-z ]/.test(summary) ? `${summary[0]?.toLowerCase()}${summary.slice(1)}` : summary;
  return text.endsWith('…') ? text : `${text}.`;
}

function typedIn(error: Error, field: 'args' | 'flags'): string[] {
  const typed: unknown = Reflect.get(error, field);
  return Array.isArray(typed) ? typed.map(String) : [];
}
