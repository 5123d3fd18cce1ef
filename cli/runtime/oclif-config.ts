import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Interfaces } from '@oclif/core';
import type { Command } from '@oclif/core/command';
import { Config } from '@oclif/core/config';
import { packageFolder } from '../../shared/adapters/package-folder.ts';
import type { CommandMap, TopicMap } from '../commands.ts';
import type { World } from '../settings/world.ts';
import type { CommandClass } from './base-command.ts';

/**
 * oclif's `Config`, filled from our own command table instead of a plugin (`decisions/0096`). A command's file is loaded only to run the
 * command or to print its help.
 */
export class CliConfig extends Config {
  readonly world: World;
  readonly #classes: CommandMap;
  readonly #commands: Map<string, Command.Loadable>;
  readonly #topics: Interfaces.Topic[];

  constructor(world: World, classes: CommandMap, topics: TopicMap) {
    const root = packageFolder();
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    super({ root, version });
    this.world = world;
    this.#classes = classes;
    this.#commands = new Map(Object.entries(classes).map(([id, { summary }]) => [id, loadable(id, summary)]));
    this.#topics = Object.entries(topics).map(([name, description]) => ({ name, description }));
    this.name = 'nameplate';
    this.bin = 'nameplate';
    this.version = version;
    this.topicSeparator = ' ';
    this.userAgent = `nameplate/${version} ${process.platform}-${process.arch} node-${process.version}`;
    this.pjson = { name: 'nameplate', version, oclif: { bin: 'nameplate', description: DESCRIPTION } };
  }

  override get commands(): Command.Loadable[] {
    return [...this.#commands.values()];
  }

  override get topics(): Interfaces.Topic[] {
    return this.#topics;
  }

  /** Does nothing, because there are no plugins. */
  override async runHook(): Promise<{ failures: []; successes: [] }> {
    return { failures: [], successes: [] };
  }

  /** Loads a command's class, and makes its arguments and flags known to the help. Returns undefined for an unknown id. */
  async loadClass(id: string): Promise<CommandClass | undefined> {
    const entry = this.#classes[id];
    if (!entry) return undefined;
    const loaded = await entry.load();
    loaded.id = id;
    loaded.summary = entry.summary;
    // Without `ignoreStdin`, oclif would read a missing argument from stdin and consume input that is meant for the command.
    loaded.args = Object.fromEntries(
      Object.entries(loaded.args).map(([name, arg]) => [name, { ...arg, name, ignoreStdin: true }]),
    );
    const { args, description, examples, usage = `${usageOf(id, args)} [FLAGS]` } = loaded;
    const flags = { ...loaded.baseFlags, ...loaded.flags };
    this.#commands.set(id, { ...loadable(id, entry.summary), args, flags, description, examples, usage });
    return loaded;
  }
}

const DESCRIPTION = 'Custom domains as a service: apps, keys, domains, events, and a local emulator.';

function loadable(id: string, summary: string): Command.Loadable {
  return {
    id,
    summary,
    aliases: [],
    args: {},
    flags: {},
    hidden: false,
    hiddenAliases: [],
    pluginName: 'nameplate',
    load: () => Promise.reject(new Error(`${id} is loaded through loadClass`)),
  };
}

interface Argument {
  required?: boolean | undefined;
  multiple?: boolean | undefined;
}

/** Returns the usage of a command: its words and its arguments, such as `domains wait DOMAIN...` or `emulator clock advance [BY]`. */
export function usageOf(id: string, args: Readonly<Record<string, Argument>>): string {
  const words = Object.entries(args).map(([name, { required, multiple }]) => {
    const word = `${name.toUpperCase()}${multiple ? '...' : ''}`;
    return required ? word : `[${word}]`;
  });
  return [...id.split(':'), ...words].join(' ');
}
