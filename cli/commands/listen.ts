import { randomBytes } from 'node:crypto';
import { boolean, string } from '@oclif/core/flags';
import { feedChoice, feedFlags, openFeed } from '../events/follow-events.ts';
import { createPacer, type Pacer } from '../events/pacer.ts';
import { forwardEvent } from '../listen/forward-event.ts';
import { createLanes, type Lanes } from '../listen/lanes.ts';
import {
  forwardedLine,
  listeningJson,
  listeningLine,
  secretLine,
  summaryLine,
} from '../listen/listen-lines.ts';
import { relayEvents } from '../listen/relay-events.ts';
import { forwardTarget } from '../listen/send-locally.ts';
import { sessionSecret } from '../listen/session-secret.ts';
import { BaseCommand } from '../runtime/base-command.ts';
import { exitCodeFor } from '../runtime/exit-codes.ts';
import type { World } from '../settings/world.ts';

/** The exit code after Ctrl-C. After `q`, the exit code is 0, so that scripts can tell the two apart. */
const EXIT_INTERRUPTED = exitCodeFor('interrupted');

export class Listen extends BaseCommand {
  static override description =
    "Forwards the app's events to an address on this machine with their original bodies. It signs them with a secret for this session, which it prints first. Events of one domain arrive in order. If your receiver responds with an error, later events of that domain wait until you press r to repeat the event or s to skip it. Without a terminal, the event is skipped. If nothing is listening at the address, the command retries. It reconnects after a lost connection. It neither uses nor changes the app's own webhook URL. Press q to quit; Ctrl-C quits with exit code 130.";
  static override examples = [
    '<%= config.bin %> listen --forward-to http://127.0.0.1:3000/webhooks',
    '<%= config.bin %> listen --forward-to 3000 --secret-file .env.local',
    '<%= config.bin %> listen --forward-to localhost:3000/webhooks --type domain.active --since 1h',
  ];
  static override flags = {
    'forward-to': string({ summary: 'URL or port of your receiver', helpValue: '<url>', required: true }),
    'print-secret': boolean({ summary: 'Print only the secret on the first line', exclusive: ['json'] }),
    'secret-file': string({
      summary: 'Read the secret from NAMEPLATE_WEBHOOK_SECRET in this file, or create it there',
      helpValue: '<file>',
    }),
    ...feedFlags,
    'allow-remote': boolean({ summary: 'Allow --forward-to to name another machine' }),
  };
  static override handlesInterrupt = true;
  static override isStream = true;

  async run(): Promise<number | undefined> {
    const pacer = createPacer();
    let isInterrupted = false;
    const off = this.world.onInterrupt(() => {
      isInterrupted = true;
      pacer.stop();
    });
    try {
      await this.#listen(pacer);
      return isInterrupted ? EXIT_INTERRUPTED : undefined;
    } finally {
      pacer.stop();
      off();
    }
  }

  async #listen(pacer: Pacer): Promise<void> {
    const { flags } = await this.parse(Listen);
    const target = forwardTarget(flags['forward-to'], flags['allow-remote']);
    const choice = feedChoice(flags);
    const { client, settings } = await this.connect(flags);
    const { output, world } = this;
    const { items, events, hurried } = await openFeed(choice, {
      settings,
      client,
      pacer,
      elapsedMs: world.elapsedMs,
    });
    const hasKeys = world.stdin.isTTY === true && !output.json;
    const secret = sessionSecret(flags['secret-file'], world);
    const session = { secret, target, settings, hasKeys };
    if (!output.json) this.#write(flags['print-secret'] ? secret : secretLine(secret, output));

    // Each new event ends the poller's pauses early. Sending has its own pacer, so that a new event does not shorten a retry delay.
    const sending = createPacer();
    pacer.signal.addEventListener('abort', sending.stop);
    const failed = Promise.withResolvers<never>();
    const counts = { accepted: 0, refused: 0 };
    const lanes = createLanes({
      send: (event) =>
        forwardEvent(event, { target, secret, events, random: randomBytes, ...sending }).catch((error) => {
          failed.reject(error);
          return null;
        }),
      report: (forwarded) => {
        if (forwarded.outcome !== 'repeating')
          counts[forwarded.outcome === 'accepted' ? 'accepted' : 'refused'] += 1;
        this.#write(forwardedLine(forwarded, output));
      },
      holds: hasKeys,
      ...sending,
    });
    const onBegun = () =>
      output.json ? this.#write(listeningJson(session)) : output.note(listeningLine(session));
    const endKeys = hasKeys ? readKeys(world, (key) => this.#press(key, lanes, pacer)) : () => undefined;
    try {
      await Promise.race([
        relayEvents(items, { onBegun, add: lanes.add, note: output.note }),
        failed.promise,
        hurried.then(() => failed.promise),
      ]);
    } finally {
      endKeys();
      output.note(summaryLine(counts, lanes.waiting()));
    }
  }

  #press(key: string, lanes: Lanes, pacer: Pacer): void {
    const act = { q: () => pacer.stop(), r: () => lanes.repeat(), s: () => lanes.skip() }[key];
    if (act?.() === 0) this.output.note('No event is waiting for r or s.');
  }

  #write(line: string): void {
    this.world.stdout.write(`${line}\n`);
  }
}

const CTRL_C = '\x03';
const CTRL_D = '\x04';
const CTRL_Z = '\x1a';

/**
 * Calls `pressed` for each key. Reports Ctrl-C and Ctrl-D as `q`; Ctrl-Z suspends the job. Does nothing without a terminal.
 * @returns a function that stops reading.
 */
function readKeys({ stdin, stopJob }: World, pressed: (key: string) => void): () => void {
  if (!stdin.isTTY) return () => undefined;
  const read = (chunk: Buffer | string) => {
    for (const key of String(chunk)) {
      if (key === CTRL_Z) stop();
      else pressed(key === CTRL_C || key === CTRL_D ? 'q' : key);
    }
  };
  /** Restores the terminal's mode for the shell while the job is suspended. */
  const stop = () => {
    stdin.setRawMode?.(false);
    stopJob();
    stdin.setRawMode?.(true);
  };
  stdin.setRawMode?.(true);
  stdin.on('data', read);
  return () => {
    stdin.off('data', read);
    stdin.setRawMode?.(false);
    stdin.pause();
  };
}
