import { constants } from 'node:os';
import { boolean, string } from '@oclif/core/flags';
import { type FeedChoice, feedChoice, feedFlags, openFeed } from '../events/follow-events.ts';
import { createPacer, type Pacer } from '../events/pacer.ts';
import { printEvents } from '../events/print-events.ts';
import { readFilter } from '../events/view/event-filter.ts';
import { type EventRows, NO_ROWS, reduceRows } from '../events/view/event-rows.ts';
import { summaryLines } from '../events/view/event-summary.ts';
import { wantsColor } from '../output/output.ts';
import { BaseCommand } from '../runtime/base-command.ts';
import { usageError } from '../runtime/cli-error.ts';
import type { SettingsFlags } from '../settings/settings.ts';
import { onStopSignals } from '../settings/world.ts';

/** The number of past events on the screen at the start. */
const SCREEN_BACKLOG = 100;

export class EventsTail extends BaseCommand {
  static override description =
    'Follows events and their deliveries. On a terminal, opens an interactive view (press ? for its keys). Otherwise, prints a line for each event, and again when its delivery changes; with --json, the line is a JSON document. Press Ctrl-C to quit.';
  static override examples = [
    '<%= config.bin %> events tail',
    '<%= config.bin %> events tail --failed --since 3d',
    '<%= config.bin %> events tail --domain careers.acme.com --type domain.active',
    '<%= config.bin %> events tail --json | jq .hostname',
  ];
  static override flags = {
    ...feedFlags,
    failed: boolean({ summary: 'Only events whose delivery failed' }),
    grep: string({ summary: 'Only events that match this regular expression', helpValue: '<pattern>' }),
    secret: string({
      summary: 'The signing secret, to check signatures. Prefer NAMEPLATE_WEBHOOK_SECRET',
      helpValue: '<whsec_…>',
    }),
  };
  static override handlesInterrupt = true;
  static override isStream = true;

  /** Lines that the event view shows as an introduction. Only the command `demo` sets them. */
  intro: readonly string[] = [];

  async run(): Promise<number | undefined> {
    const pacer = createPacer();
    let signal: NodeJS.Signals | null = null;
    const signals = onStopSignals((asked) => {
      signal = asked;
      pacer.stop();
    });
    // Stop if the process that reads our output closes the pipe, as `head` does, or if the terminal is gone.
    process.stdout.on('error', pacer.stop);
    try {
      const exit = await this.#follow(pacer);
      return signal === null ? exit : 128 + constants.signals[signal];
    } finally {
      pacer.stop();
      signals.off();
      process.stdout.off('error', pacer.stop);
    }
  }

  async #follow(pacer: Pacer): Promise<number | undefined> {
    const { flags } = await this.parse(EventsTail);
    const initial = initialRows(flags);
    const choice = feedChoice(flags);
    if (!this.hasScreen()) return this.#print(flags, choice, initial, pacer);
    // The screen shows the server and the mode, so the command does not call `connect`, which would print them.
    // Lazy: only a terminal needs Ink, which takes longer to load than everything else.
    const [{ openEventView }, settings] = await Promise.all([
      import('../events/open-event-view.tsx'),
      this.readSettings(flags),
    ]);
    const { world, output } = this;
    const secret = this.#secret(flags.secret);
    return openEventView({
      choice: { ...choice, backlog: SCREEN_BACKLOG },
      initial,
      intro: this.intro,
      color: wantsColor(world, this.argv),
      pacer,
      settings,
      secret,
      world,
      output,
    });
  }

  async #print(
    flags: SettingsFlags,
    choice: FeedChoice,
    initial: EventRows,
    pacer: Pacer,
  ): Promise<undefined> {
    const { client, settings } = await this.connect(flags);
    const { output, world } = this;
    const { elapsedMs } = world;
    const { items, hurried } = await openFeed(choice, { settings, client, pacer, elapsedMs });
    const startedMs = elapsedMs();
    const write = (line: string) => void world.stdout.write(`${line}\n`);
    const printed = printEvents({ feed: items, initial, output, write });
    const state = await Promise.race([printed, hurried.then(() => printed)]);
    for (const line of summaryLines(state, elapsedMs() - startedMs)) output.note(line);
  }

  /** Returns the signing secret from the flag or the environment, and hides it in all output. */
  #secret(given: string | undefined): string | null {
    const secret = given ?? this.world.env.NAMEPLATE_WEBHOOK_SECRET;
    if (!secret) return null;
    this.output.hide(secret);
    return secret;
  }
}

function initialRows(flags: { failed: boolean; grep?: string | undefined }): EventRows {
  const pattern = flags.grep === undefined ? null : readPattern(flags.grep);
  const read = readFilter({ text: '', failedOnly: flags.failed, pattern });
  return read.ok ? reduceRows(NO_ROWS, { kind: 'filtered', filter: read.filter }) : NO_ROWS;
}

function readPattern(text: string): RegExp {
  try {
    return new RegExp(text, 'i');
  } catch (error) {
    throw usageError(
      `--grep: ${error instanceof Error ? error.message : error}.`,
      'Give a valid regular expression.',
    );
  }
}
