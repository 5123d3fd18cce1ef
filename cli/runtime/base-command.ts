import { Command } from '@oclif/core/command';
import { boolean, string } from '@oclif/core/flags';
import { type Client, createClient } from '../../shared/client/client.ts';
import { saidBetter } from '../arguments/said-better.ts';
import { emulatorBeside } from '../emulator/emulator-beside.ts';
import { createOutput, hasFlag, type Output, wantsColor } from '../output/output.ts';
import { isPlain } from '../settings/base-url.ts';
import { configWarning, resolveSettings, type Settings, type SettingsFlags } from '../settings/settings.ts';
import type { World } from '../settings/world.ts';
import type { CliConfig } from './oclif-config.ts';
import { patientFetch } from './patient-fetch.ts';

/** What every command shares: the global flags, its output, and the way to the API. `main.ts` runs it. */
export abstract class BaseCommand extends Command {
  static override enableJsonFlag = true;
  static override baseFlags = {
    json: boolean({ summary: 'Print one JSON document', helpGroup: 'GLOBAL' }),
    profile: string({ summary: 'Use the key and address of this profile', helpGroup: 'GLOBAL' }),
    'base-url': string({ summary: 'Address of the server', helpValue: '<url>', helpGroup: 'GLOBAL' }),
    'no-color': boolean({ summary: 'Print without colours', helpGroup: 'GLOBAL' }),
  };
  /** True for a command that ends by itself on Ctrl-C. */
  static handles_interrupt = false;
  /** The exit code of all of a command's own failures, when it passes on the codes of another program. */
  static failure_exit: number | undefined = undefined;

  readonly world: World;
  readonly output: Output;
  /** Null until the command connects. */
  #settings: Settings | null = null;

  constructor(argv: string[], config: CliConfig) {
    super(argv, config);
    this.world = config.world;
    const json = hasFlag(argv, '--json');
    this.output = createOutput(this.world, { json, color: wantsColor(this.world, argv) });
  }

  /** Does the work and prints the result. What it answers becomes the exit code; nothing is 0. */
  abstract override run(): Promise<number | undefined>;

  /** The client for the server and key that the settings name; says so when they are live. */
  protected async connect(flags: SettingsFlags): Promise<{ client: Client; settings: Settings }> {
    const settings = await resolveSettings(flags, this.world);
    this.#settings = settings;
    const { base_url, mode } = settings;
    const client = this.clientOf(settings);
    const warning = configWarning(this.world);
    if (warning) this.output.note(warning);
    if (isPlain(base_url)) this.output.note(`Warning: the API key travels unencrypted to ${base_url}.`);
    if (mode === 'live') this.output.note(this.output.paint('yellow', `Live mode: ${base_url}`));
    if (this.output.json || this.world.stderr.isTTY !== true) return { client, settings };
    const note = settings.emulatorNote ?? (await emulatorBeside(settings, this.world));
    if (note) this.output.note(note);
    return { client, settings };
  }

  /** A client for a person who waits: what cannot be had soon is said, and its exit code tells a script. The key stands in no output. */
  protected clientOf({ base_url, api_key }: Pick<Settings, 'base_url' | 'api_key'>): Client {
    this.output.hide(api_key);
    const { sleep } = this.world;
    const fetch = patientFetch(base_url, this.output.note);
    return createClient({ base_url, api_key, fetch, retries: 2, wait_ms_max: 3_000, sleep });
  }

  /** An error as the command line says it, which knows where its address and its key came from. */
  explain(error: unknown): Promise<unknown> {
    return saidBetter(error, this.#settings, this.world);
  }

  /** oclif would print all that it parsed. */
  protected override toErrorJson(error: unknown): never {
    throw error;
  }
}

/** A command's class as the table of commands loads it. */
export interface CommandClass extends Omit<typeof BaseCommand, 'prototype'> {
  new (argv: string[], config: CliConfig): BaseCommand;
}
