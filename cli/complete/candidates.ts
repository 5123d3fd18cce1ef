import { findCommand, GLOBAL_FLAGS } from '../arguments/find-command.ts';
import { METHODS } from '../commands/api.ts';
import { chooseEmulator } from '../emulator/emulator-choice.ts';
import { flagValue } from '../output/output.ts';
import { plainText, withoutSecrets } from '../output/plain-text.ts';
import type { CommandClass } from '../runtime/base-command.ts';
import type { CliConfig } from '../runtime/oclif-config.ts';
import { readUserConfig } from '../settings/config-file.ts';
import type { SettingsFlags } from '../settings/settings.ts';
import type { World } from '../settings/world.ts';
import { type RemoteSource, remoteValues } from './remote-values.ts';

/** A word that the shell can offer as the next word of the command line, with a description. */
export interface Candidate {
  value: string;
  about?: string;
}

type Source = RemoteSource | 'profiles' | 'commands' | 'methods';

/** The source of the values that complete each command's argument. An argument with fixed values or the name `domain` needs no entry. */
const ARGUMENTS: Readonly<Record<string, Source>> = {
  'domains:wait': 'domains',
  'events:get': 'events',
  'events:redeliver': 'events',
  'keys:revoke': 'keys',
  'profiles:remove': 'profiles',
  'profiles:use': 'profiles',
  help: 'commands',
  api: 'methods',
};

const FLAG_VALUES: Readonly<Record<string, Source>> = { domain: 'domains', profile: 'profiles' };

/**
 * Returns the words that can complete the last word.
 *
 * @param typed the words after `nameplate`; the last one is being typed and may be empty.
 */
export async function candidatesFor(
  typed: readonly string[],
  config: CliConfig,
  world: World,
): Promise<Candidate[]> {
  // bash splits `--status=active` into three words at the `=`, so drop the `=`.
  const words = typed
    .filter((word, index) => word !== '=' || index === typed.length - 1)
    .map((word) => (word === '=' ? '' : word));
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const { id, words: named, rest } = findCommand(before, config);
  // If no argument or flag follows `emulator clock`, the next word may still belong to a longer command such as `emulator clock advance`.
  const starting =
    (id === undefined || rest.length === 0) && !current.startsWith('-') ? nextWords(named, config) : [];
  const command = id === undefined ? undefined : await config.loadClass(id);
  const others =
    command === undefined
      ? globalFlags(current)
      : await ofCommand(command, id ?? '', rest, current, config, world);
  return [...starting, ...others].filter(({ value }) => value.startsWith(current));
}

function globalFlags(current: string): Candidate[] {
  return current.startsWith('--') ? Object.keys(GLOBAL_FLAGS).map((value) => ({ value })) : [];
}

/** Returns the words that can follow `before` in the name of a command, each with the summary of its command or topic. */
function nextWords(before: readonly string[], config: CliConfig): Candidate[] {
  const found = new Map<string, string>();
  for (const id of config.commandIDs) {
    const words = id.split(':');
    const next = words[before.length];
    if (next === undefined || before.some((word, index) => words[index] !== word) || found.has(next))
      continue;
    const path = words.slice(0, before.length + 1).join(':');
    const command = config.commands.find((each) => each.id === path);
    const topic = config.topics.find(({ name }) => name === path);
    found.set(next, command?.summary ?? topic?.description ?? '');
  }
  return [...found].map(([value, about]) => ({ value, about }));
}

async function ofCommand(
  command: CommandClass,
  id: string,
  words: readonly string[],
  current: string,
  config: CliConfig,
  world: World,
): Promise<Candidate[]> {
  const flags = Object.entries({ ...command.baseFlags, ...command.flags }).filter(([, flag]) => !flag.hidden);
  const takesValue = (word: string | undefined) =>
    flags.find(
      ([name, flag]) => flag.type === 'option' && (word === `--${name}` || word === `-${flag.char}`),
    );
  const settings: SettingsFlags = {
    profile: flagValue(words, '--profile'),
    'base-url': flagValue(words, '--base-url'),
  };
  const inline = /^--([\w-]+)=(.*)$/.exec(current);
  const flag = takesValue(inline ? `--${inline[1]}` : words.at(-1));
  if (flag) {
    const [name, definition] = flag;
    const values = optionsOf(definition) ?? (await from(FLAG_VALUES[name], inline?.[2] ?? current));
    return inline ? values.map((each) => ({ ...each, value: `--${name}=${each.value}` })) : values;
  }
  if (current.startsWith('-')) {
    const given = new Set(words);
    return flags
      .filter(([name, flag]) => ('multiple' in flag && flag.multiple) || !given.has(`--${name}`))
      .map(([name, { summary = '' }]) => ({ value: `--${name}`, about: summary }));
  }
  const positional = words.filter(
    (word, index) => !word.startsWith('-') && takesValue(words[index - 1]) === undefined,
  );
  const named = Object.entries(command.args);
  const variadic = named.findIndex(([, argument]) => argument.multiple);
  // If an argument takes several values, the next word can be another value, or the value of the argument after it.
  const possible =
    variadic === -1 || positional.length <= variadic
      ? named.slice(positional.length, positional.length + 1)
      : named.slice(variadic, variadic + 2);
  if (possible.length === 0 && command.strict !== false) return [];
  const values = possible.length === 0 ? [from(ARGUMENTS[id], current)] : possible.map(valuesOf);
  return (await Promise.all(values)).flat().filter(({ value }) => !positional.includes(value));

  async function valuesOf([name, argument]: (typeof named)[number]): Promise<Candidate[]> {
    const source = ARGUMENTS[id] ?? (name === 'domain' ? 'domains' : undefined);
    return optionsOf(argument) ?? (await from(source, current));
  }

  async function from(kind: Source | undefined, prefix: string): Promise<Candidate[]> {
    if (kind === undefined) return [];
    if (kind === 'commands') return nextWords(words, config);
    if (kind === 'methods') return positional.length === 0 ? METHODS.map((value) => ({ value })) : [];
    if (kind === 'profiles') return Object.keys(readUserConfig(world).profiles).map((value) => ({ value }));
    // The emulator's commands work on the emulator's domains, even if other commands use another server.
    const emulator = id.startsWith('emulator:') ? (await chooseEmulator(world)).chosen : null;
    return remoteValues(
      kind,
      prefix,
      { ...settings, 'base-url': settings['base-url'] ?? emulator?.url },
      world,
    );
  }
}

/** Returns the fixed values that the definition of a flag or an argument allows, or null if it allows any value. */
function optionsOf(definition: object | undefined): Candidate[] | null {
  if (definition === undefined || !('options' in definition) || !Array.isArray(definition.options))
    return null;
  return definition.options.map((value) => ({ value: String(value) }));
}

/** Runs the hidden command of the completion scripts. Prints one candidate per line, with a tab and its description. Never fails. */
export async function printCandidates(words: readonly string[], config: CliConfig, world: World): Promise<0> {
  try {
    for (const { value, about = '' } of await candidatesFor(words, config, world)) {
      // Offer only values that a shell reads as one plain word, because the values come from a server.
      if (/^[\w@%+=:,./-]+$/.test(value))
        world.stdout.write(`${value}\t${plainText(withoutSecrets(about))}\n`);
    }
  } catch {
    // Ignores errors, because the command itself will report them, such as an unreadable config file.
  }
  return 0;
}
