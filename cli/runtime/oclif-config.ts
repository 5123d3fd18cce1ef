import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Interfaces } from '@oclif/core';
import type { Command } from '@oclif/core/command';
import { Config } from '@oclif/core/config';
import { packageFolder } from '../../shared/adapters/package-folder.ts';
import type { CommandMap, TopicMap } from '../commands.ts';
import type { World } from '../settings/world.ts';
import type { CommandClass } from './base-command.ts';

/**
 * oclif's `Config` with our own command table. The stock one looks for plugins, themes, a manifest and the shell's name at every
 * start. This one reads only our package.json, and loads a command's file only when the command runs or is explained.
 */
export class CliConfig extends Config {
  readonly world: World;
  readonly #commands: Map<string, Command.Loadable>;
  readonly #classes: CommandMap;
  readonly #topics: Interfaces.Topic[];

  constructor(world: World, classes: CommandMap, topics: TopicMap) {
    const root = packageFolder();
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    super({ root, version });
    this.world = world;
    this.#classes = classes;
    this.#topics = Object.entries(topics).map(([name, description]) => ({ name, description }));
    this.#commands = new Map(Object.entries(classes).map(([id, { summary }]) => [id, loadable(id, summary)]));
    this.name = 'nameplate';
    this.bin = 'nameplate';
    this.dirname = 'nameplate';
    this.version = version;
    this.root = root;
    this.home = homedir();
    this.topicSeparator = ' ';
    this.userAgent = `nameplate/${version} ${process.platform}-${process.arch} node-${process.version}`;
    this.pjson = { name: 'nameplate', version, oclif: { bin: 'nameplate', description: DESCRIPTION } };
  }

  override get commands(): Command.Loadable[] {
    return [...this.#commands.values()];
  }

  override get commandIDs(): string[] {
    return [...this.#commands.keys()];
  }

  override get topics(): Interfaces.Topic[] {
    return this.#topics;
  }

  override findCommand(id: string, options: { must: true }): Command.Loadable;
  override findCommand(id: string, options?: { must: boolean }): Command.Loadable | undefined;
  override findCommand(id: string): Command.Loadable | undefined {
    return this.#commands.get(id);
  }

  override findTopic(name: string, options: { must: true }): Interfaces.Topic;
  override findTopic(name: string, options?: { must: boolean }): Interfaces.Topic | undefined;
  override findTopic(name: string): Interfaces.Topic | undefined {
    return this.topics.find((topic) => topic.name === name);
  }

  /** Does nothing, because there are no plugins. */
  override async runHook(): Promise<{ failures: []; successes: [] }> {
    return { failures: [], successes: [] };
  }

  /** Loads a command's class, and adds its flags to what help shows. Returns undefined for an unknown id. */
  async loadClass(id: string): Promise<CommandClass | undefined> {
    const entry = this.#classes[id];
    if (!entry) return undefined;
    const loaded = await entry.load();
    loaded.id = id;
    loaded.summary = entry.summary;
    loaded.args = withoutStdin(loaded.args);
    this.#commands.set(id, {
      ...loadable(id, entry.summary),
      args: withNames(loaded.args),
      flags: withNames({ ...loaded.baseFlags, ...loaded.flags }),
      description: loaded.description,
      examples: loaded.examples,
      strict: loaded.strict,
      usage: loaded.usage,
    });
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

/** Stops oclif from reading a missing argument from stdin, where it would consume input meant for something else. */
function withoutStdin(args: CommandClass['args']): CommandClass['args'] {
  return Object.fromEntries(Object.entries(args).map(([name, arg]) => [name, { ...arg, ignoreStdin: true }]));
}

function withNames<T extends object>(entries: Record<string, T>): Record<string, T & { name: string }> {
  return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, { ...entry, name }]));
}
