import { Command } from '@oclif/core/command';
import { boolean, string } from '@oclif/core/flags';
import { type Client, createClient } from '../../shared/client/client.ts';
import type { Fetch } from '../../shared/client/request.ts';
import { explainApiError } from '../arguments/explain-api-error.ts';
import { clockAheadMs } from '../emulator/clock-ahead.ts';
import { createOutput, flagValue, hasFlag, type Output, wantsColor } from '../output/output.ts';
import { plainText } from '../output/plain-text.ts';
import { isUnencrypted } from '../settings/base-url.ts';
import {
  type CliSettings,
  configWarning,
  resolveSettings,
  type SettingsFlags,
} from '../settings/settings.ts';
import { otherEmulatorNote, targetLine } from '../settings/target-words.ts';
import type { World } from '../settings/world.ts';
import { type ArgumentResults, attemptEach, exitOfFailures } from './attempts.ts';
import { type CliError, interrupted, stoppedWaiting } from './cli-error.ts';
import { describeError, noteError } from './error-presenter.ts';
import type { CliConfig } from './oclif-config.ts';
import { patientFetch } from './patient-fetch.ts';

/** The base class of every command, with the global flags, the output, and the API client. */
export abstract class BaseCommand extends Command {
  static override enableJsonFlag = true;
  static override baseFlags = {
    json: boolean({ summary: 'Print one JSON document', helpGroup: 'GLOBAL' }),
    jq: string({
      summary: 'Print what a jq program selects from the JSON',
      helpValue: '<program>',
      helpGroup: 'GLOBAL',
      exclusive: ['csv'],
    }),
    profile: string({ summary: 'Use the key and address of this profile', helpGroup: 'GLOBAL' }),
    'base-url': string({ summary: 'Address of the server', helpValue: '<url>', helpGroup: 'GLOBAL' }),
    'no-color': boolean({ summary: 'Print without colours', helpGroup: 'GLOBAL' }),
  };
  /** True if the command handles Ctrl-C itself. */
  static handlesInterrupt = false;
  /** True if the command prints a stream of documents instead of one result. `--jq` does not work with it. */
  static isStream = false;
  /** The exit code if the command itself fails. Set only by a command that otherwise returns another program's exit code. */
  static failureExit: number | undefined = undefined;

  readonly world: World;
  readonly output: Output;
  /** The domain that the command is waiting for, for the error after Ctrl-C; null before the wait. */
  protected waitsFor: string | null = null;
  /** The server and the key; null until `readSettings` was called. */
  #settings: CliSettings | null = null;

  constructor(argv: string[], config: CliConfig) {
    super(argv, config);
    this.world = config.world;
    this.output = createOutput(this.world, {
      json: hasFlag(argv, '--json'),
      color: wantsColor(this.world, argv),
      jq: flagValue(argv, '--jq'),
    });
  }

  /** Runs the command and prints its result. Returns the exit code; undefined means 0. */
  abstract override run(): Promise<number | undefined>;

  /**
   * Returns a client for the configured server and key. On a terminal, prints which server is used and in which mode. Elsewhere, prints a
   * note only in live mode.
   */
  protected async connect(flags: SettingsFlags): Promise<{ client: Client; settings: CliSettings }> {
    const settings = await this.readSettings(flags);
    const { baseUrl, mode } = settings;
    const client = this.clientOf(settings);
    if (this.world.stdout.isTTY === true && !this.output.json) {
      this.output.setClockAhead(await clockAheadMs(settings));
    }
    const isLive = mode === 'live';
    if (this.output.json || this.world.stderr.isTTY !== true) {
      if (isLive) this.output.note(this.output.paint('yellow', `Live mode: ${baseUrl}`));
      return { client, settings };
    }
    this.output.tell(targetLine(settings, this.world), isLive ? 'yellow' : 'dim');
    const note = await otherEmulatorNote(settings, this.world);
    if (note) this.output.note(note);
    return { client, settings };
  }

  /** Returns the configured server and key, and prints warnings about them. Hides the key from all output. */
  protected async readSettings(flags: SettingsFlags): Promise<CliSettings> {
    const settings = await resolveSettings(flags, this.world);
    this.#settings = settings;
    const { baseUrl, apiKey } = settings;
    this.output.hide(apiKey);
    const warning = configWarning(this.world);
    if (warning) this.output.note(warning);
    if (isUnencrypted(baseUrl)) this.output.note(unencryptedWarning(baseUrl));
    return settings;
  }

  /** Returns a client that retries only for a few seconds, because a person or a script is waiting. Hides the key from all output. */
  protected clientOf({ baseUrl, apiKey }: Pick<CliSettings, 'baseUrl' | 'apiKey'>): Client {
    this.output.hide(apiKey);
    const { sleep, env, elapsedMs } = this.world;
    const patient = patientFetch(baseUrl, this.output.note);
    const fetch = env.NAMEPLATE_DEBUG ? loggedFetch(patient, this.output.note, elapsedMs) : patient;
    return createClient({ baseUrl, apiKey, fetch, retries: 2, maxWaitMs: 3_000, sleep });
  }

  /**
   * Calls `act` for each argument and prints every result. With one argument, the JSON document is the result itself, and an error is
   * thrown. With several, the document has the results in `data` and the errors in `failed`, and stderr lists the failures.
   * @returns the exit code.
   */
  protected async forEach<T extends object>(
    refs: readonly string[],
    act: (ref: string) => Promise<T>,
    lines: (value: T) => string[],
  ): Promise<number | undefined> {
    const [only, second] = new Set(refs);
    if (only === undefined || second !== undefined) {
      return this.report(await attemptEach(refs, act), lines);
    }
    const value = await act(only);
    this.output.result(value, () => lines(value));
    return undefined;
  }

  /** Prints the results and failures of several arguments. Returns the exit code. */
  protected async report<T extends object>(
    { done, failed, notRun }: ArgumentResults<T>,
    lines: (value: T) => string[],
  ): Promise<number | undefined> {
    const { output } = this;
    const failures = await Promise.all(
      failed.map(async ({ ref, error }) => ({ ref, error: describeError(await this.explain(error)) })),
    );
    const document = {
      data: done.map(({ value }) => value),
      ...(failures.length > 0 && { failed: failures }),
      ...(notRun.length > 0 && { not_run: notRun }),
    };
    output.result(document, () => joined(done.map(({ value }) => lines(value))));
    if (output.json) return exitOfFailures(failures);
    for (const { ref, error } of failures)
      noteError({ ...error, message: `${ref}: ${error.message}` }, output);
    if (notRun.length > 0) output.note(`Not tried because of that error: ${plainText(notRun.join(', '))}.`);
    return exitOfFailures(failures);
  }

  /** Returns the error with a message that says where the server's address and the key came from. */
  async explain(error: unknown): Promise<unknown> {
    return explainApiError(error, this.#settings, this.world);
  }

  /** Returns the error to report when Ctrl-C ends the command. */
  interruption(): CliError {
    return this.waitsFor === null ? interrupted() : stoppedWaiting(this.waitsFor);
  }

  /** Returns true if the terminal allows a full-screen view: it can be drawn on, and keys can be read from it. */
  protected hasScreen(): boolean {
    const { stdin, stdout, env } = this.world;
    return stdin.isTTY === true && stdout.isTTY === true && !this.output.json && env.TERM !== 'dumb';
  }

  /** Throws the error unchanged, because oclif would print the whole parsed command line. */
  protected override toErrorJson(error: unknown): never {
    throw error;
  }
}

/** Joins the lines of several results, with an empty line between them if a result has several lines. */
function joined(results: readonly string[][]): string[] {
  const isLong = results.some((lines) => lines.length > 1);
  return results.flatMap((lines, index) => (isLong && index > 0 ? ['', ...lines] : lines));
}

export function unencryptedWarning(baseUrl: string): string {
  return `Warning: the API key is sent unencrypted to ${baseUrl}.`;
}

/** The class of a command, as the command table loads it. */
export interface CommandClass extends Omit<typeof BaseCommand, 'prototype'> {
  new (argv: string[], config: CliConfig): BaseCommand;
}

/**
 * Returns a `fetch` that prints a note about each request and its response. The notes have no headers and bodies, because these contain
 * keys and secrets.
 */
function loggedFetch(fetch: Fetch, note: (text: string) => void, elapsedMs: () => number): Fetch {
  return async (url, init) => {
    const startedMs = elapsedMs();
    const log = (outcome: string) =>
      note(plainText(`${init.method} ${url} ${outcome} after ${Math.round(elapsedMs() - startedMs)} ms`));
    try {
      const response = await fetch(url, init);
      const id = response.headers.get('x-request-id');
      log(`${response.status}${id === null ? '' : ` ${id}`}`);
      return response;
    } catch (error) {
      log('no response');
      throw error;
    }
  };
}
