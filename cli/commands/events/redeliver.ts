import { boolean, string } from '@oclif/core/flags';
import type { Client } from '../../../shared/client/client.ts';
import { ApiError } from '../../../shared/client/client-error.ts';
import type { DeliveryResource, EventResource } from '../../../shared/schema/event.ts';
import { counted, isAccepted, redeliveryWords } from '../../events/drawing/event-words.ts';
import { redeliverPaced } from '../../events/redeliver-paced.ts';
import { instantOf } from '../../events/since.ts';
import { eventColumns } from '../../output/event-view.ts';
import { plainId } from '../../output/plain-id.ts';
import { plainText } from '../../output/plain-text.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { usageError } from '../../runtime/cli-error.ts';
import { exitCodeFor } from '../../runtime/exit-codes.ts';

const RECEIVER_REFUSED = 1;

export class EventsRedeliver extends BaseCommand {
  static override description =
    "Sends the original bodies again now, freshly signed, to the app's webhook URL, and prints each answer. Ten a minute are allowed: more are paced. --failed takes the events whose delivery failed since a time, oldest first. It ends with 1 when the receiver accepted not all of them.";
  static override examples = [
    '<%= config.bin %> events redeliver evt_01k…',
    '<%= config.bin %> events redeliver --failed --since 24h --dry-run',
    '<%= config.bin %> events redeliver --failed --since 2026-11-20T08:00:00Z',
  ];
  static override strict = false;
  static override usage = 'events redeliver EVENT_ID... | --failed --since 24h [--dry-run]';
  static override flags = {
    failed: boolean({ summary: 'The events whose delivery failed', dependsOn: ['since'] }),
    since: string({ summary: 'Created since then', helpValue: '<duration or time>', dependsOn: ['failed'] }),
    'dry-run': boolean({ summary: 'Only list them' }),
  };

  async run(): Promise<number | undefined> {
    const { argv, flags } = await this.parse(EventsRedeliver);
    if ((argv.length === 0) !== (flags.since !== undefined)) {
      throw usageError('Name events, or give --failed --since, not both.', 'Add --help to see how.');
    }
    const ids = argv.map((id) => plainId(String(id), 'evt'));
    const since = flags.since === undefined ? null : instantOf(flags.since);
    const { client } = await this.connect(flags);
    // All are looked up first: a mistyped id is found before anything is sent.
    const events = since === null ? await eventsOf(ids, client) : await failedSince(since, client);
    if (!flags['dry-run']) return this.#redeliver(events, client);
    this.output.result({ data: events }, () =>
      events.length === 0 ? ['There are none.'] : this.output.table(events, eventColumns(this.output)),
    );
    return undefined;
  }

  async #redeliver(events: readonly EventResource[], client: Client): Promise<number | undefined> {
    const { redeliver } = client.events;
    const data: DeliveryResource[] = [];
    let failure: unknown = null;
    const { sleep: pause } = this.world;
    for await (const step of redeliverPaced(events, {
      redeliver,
      pause,
      signal: new AbortController().signal,
    })) {
      if (step.kind === 'waiting') this.output.note(`The limit is reached: waiting ${step.wait_s} s.`);
      if (step.kind === 'refused') failure = step.error;
      if (step.kind !== 'answered') continue;
      data.push(step.delivery);
      this.output.note(`${plainText(step.event.id)}: ${redeliveryWords(step.delivery)}`);
    }
    if (failure !== null && data.length === 0) throw failure;
    const refused = data.filter((delivery) => !isAccepted(delivery)).length;
    const not_sent = events.length - data.length;
    this.output.result({ data, ...(not_sent > 0 && { not_sent }) }, () => [
      `Redelivered ${counted(data.length, 'event')}${refused > 0 ? `, ${refused} refused by the receiver` : ''}${not_sent > 0 ? `, ${not_sent} not sent` : ''}.`,
    ]);
    if (failure instanceof ApiError) return exitCodeFor(failure.code, failure.status);
    return refused > 0 || failure !== null ? RECEIVER_REFUSED : undefined;
  }
}

async function eventsOf(ids: readonly string[], client: Client): Promise<EventResource[]> {
  const events: EventResource[] = [];
  for (const id of ids) events.push(await client.events.get(id));
  return events;
}

/** Oldest first, as they happened. */
async function failedSince(since: number, client: Client): Promise<EventResource[]> {
  const failed: EventResource[] = [];
  for await (const event of client.events.all({ limit: 100 })) {
    if (Date.parse(event.created_at) < since) break;
    if (event.delivery.status === 'failed') failed.unshift(event);
  }
  return failed;
}
