import { randomBytes } from 'node:crypto';
import { boolean, string } from '@oclif/core/flags';
import { EVENT_TYPES } from '../../shared/core/webhooks/event.ts';
import { findDomainId } from '../arguments/find-domain.ts';
import { ringOnEvents } from '../event-bell.ts';
import { followEvents } from '../events/follow-events.ts';
import { createPacer, type Pacer } from '../events/pacer.ts';
import { jsonLine } from '../events/print-events.ts';
import { instantOf } from '../events/since.ts';
import { forwardEvent } from '../listen/forward-event.ts';
import { forwardTarget } from '../listen/forward-target.ts';
import { handOn } from '../listen/hand-on.ts';
import { createLanes, type Lanes } from '../listen/lanes.ts';
import {
  forwardedLine,
  listeningJson,
  listeningLine,
  secretLine,
  summaryLine,
} from '../listen/listen-lines.ts';
import { readKeys } from '../listen/read-keys.ts';
import { sessionSecret } from '../listen/session-secret.ts';
import { BaseCommand } from '../runtime/base-command.ts';
import { presentError } from '../runtime/error-presenter.ts';
import { exitCodeFor } from '../runtime/exit-codes.ts';
import { followingClient } from '../settings/following-client.ts';

/** Lets a script tell Ctrl-C from `q`, as in `events tail`. */
const EXIT_INTERRUPTED = exitCodeFor('interrupted');

export class Listen extends BaseCommand {
  static override description =
    "Forwards the events of the app to an address on this machine with their original bodies. It signs them with a secret of this session, which it prints first. The events of a domain come in order. An error response holds up later events until r repeats the event or s skips it; without a terminal, the event is skipped. If nothing listens at the address, the command waits. It also reconnects after a lost connection. The app's own webhook URL is neither used nor changed. q ends it, and so does Ctrl-C with exit code 130.";
  static override examples = [
    '<%= config.bin %> listen --forward-to http://127.0.0.1:3000/webhooks',
    '<%= config.bin %> listen --forward-to 3000 --secret-file .env.local',
    '<%= config.bin %> listen --forward-to localhost:3000/webhooks --type domain.active --since 1h',
  ];
  static override flags = {
    'forward-to': string({ summary: 'Address or port of your receiver', helpValue: '<url>', required: true }),
    'print-secret': boolean({ summary: 'Print the secret alone on the first line', exclusive: ['json'] }),
    'secret-file': string({
      summary: 'Keep the secret there as NAMEPLATE_WEBHOOK_SECRET, and take it from there',
      helpValue: '<file>',
    }),
    type: string({ summary: 'Of this type only', options: EVENT_TYPES }),
    domain: string({ summary: 'Of this domain only', helpValue: '<host or id>' }),
    since: string({ summary: 'Begin with those created since then', helpValue: '<duration or time>' }),
    'allow-remote': boolean({ summary: 'Forward to another machine too' }),
  };
  static override handles_interrupt = true;

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
    } catch (error) {
      if (!this.output.json) throw error;
      // One line, as all others of the stream.
      return presentError(await this.explain(error), {
        ...this.output,
        result: (document) => this.#write(jsonLine(document)),
      });
    } finally {
      pacer.stop();
      off();
    }
  }

  async #listen(pacer: Pacer): Promise<void> {
    const { flags } = await this.parse(Listen);
    const target = forwardTarget(flags['forward-to'], flags['allow-remote']);
    const since = flags.since === undefined ? null : instantOf(flags.since);
    const type = EVENT_TYPES.find((value) => value === flags.type);
    const { client, settings } = await this.connect(flags);
    const domain_id = flags.domain === undefined ? undefined : await findDomainId(flags.domain, client);
    const { output, world } = this;
    const has_keys = world.stdin.isTTY === true && !output.json;
    const secret = sessionSecret(flags['secret-file'], world);
    const session = { secret, target, settings, has_keys };
    if (!output.json) this.#write(flags['print-secret'] ? secret : secretLine(secret, output));

    const following = followingClient(settings, pacer.signal);
    const { events } = following;
    // Its pauses are not those of the polling, which a new event ends.
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
      holds: has_keys,
      ...sending,
    });
    const feed = followEvents({
      source: events,
      query: { ...(type !== undefined && { type }), ...(domain_id !== undefined && { domain_id }) },
      since,
      backlog: 0,
      elapsed_ms: world.elapsed_ms,
      ...pacer,
    });
    const onBegun = () =>
      output.json ? this.#write(listeningJson(session)) : output.note(listeningLine(session));
    const endKeys = has_keys ? readKeys(world, (key) => this.#press(key, lanes, pacer)) : () => undefined;
    try {
      await Promise.race([
        handOn(feed, { onBegun, add: lanes.add, note: output.note }),
        failed.promise,
        ringOnEvents(following, pacer).then(() => failed.promise),
      ]);
    } finally {
      endKeys();
      output.note(summaryLine(counts, lanes.waiting()));
    }
  }

  #press(key: string, lanes: Lanes, pacer: Pacer): void {
    const act = { q: () => pacer.stop(), r: () => lanes.repeat(), s: () => lanes.skip() }[key];
    if (act?.() === 0) this.output.note('Nothing is held.');
  }

  #write(line: string): void {
    this.world.stdout.write(`${line}\n`);
  }
}
