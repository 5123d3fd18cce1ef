import { string as stringArg } from '@oclif/core/args';
import { boolean, string } from '@oclif/core/flags';
import type { Client } from '../../shared/client/client.ts';
import { ApiError } from '../../shared/client/client-error.ts';
import type { DeliveryResource, EventResource } from '../../shared/schema/event.ts';
import { orNotFound } from '../arguments/explain-api-error.ts';
import { plainId, readInstant } from '../arguments/read-values.ts';
import { serverNowMs } from '../emulator/clock-ahead.ts';
import { counted, isAccepted, redeliveryWords } from '../events/event-words.ts';
import { redeliverPaced } from '../events/redeliver-paced.ts';
import { deliveryColumns, eventColumns, eventLines, responseLines } from '../output/event-view.ts';
import { plainText } from '../output/plain-text.ts';
import { BaseCommand } from '../runtime/base-command.ts';
import { usageError } from '../runtime/cli-error.ts';
import { exitCodeFor } from '../runtime/exit-codes.ts';

export class EventsGet extends BaseCommand {
  static override description = 'Shows events with their latest delivery attempts, newest first.';
  static override examples = [
    '<%= config.bin %> events get evt_01k…',
    '<%= config.bin %> events get evt_01k… evt_01k… --json',
  ];
  static override args = {
    id: stringArg({ description: 'Ids of the events, evt_…', required: true, multiple: true }),
  };

  async run(): Promise<number | undefined> {
    const { args, flags } = await this.parse(EventsGet);
    const ids = args.id.map((id) => plainId(id, 'evt'));
    const { client } = await this.connect(flags);
    return this.forEach(
      ids,
      (id) => orNotFound(client.events.get(id), `event ${id}`, 'nameplate events list'),
      (event) => [
        ...eventLines(event, this.output),
        '',
        ...(event.deliveries.length === 0
          ? ['No delivery attempts.']
          : this.output.table(event.deliveries, deliveryColumns())),
        ...responseLines(event.deliveries),
      ],
    );
  }
}

const RECEIVER_REFUSED = 1;

export class EventsRedeliver extends BaseCommand {
  static override description =
    "Sends the original bodies again, freshly signed, to the app's webhook URL, and prints each response. The limit is ten redeliveries a minute; the command waits if there are more. --failed redelivers failed events that were created since a given time, oldest first. The last retry is 24 hours after the first attempt. The exit code is 1 if the receiver did not accept all of them.";
  static override examples = [
    '<%= config.bin %> events redeliver evt_01k…',
    '<%= config.bin %> events redeliver --failed --since 3d --dry-run',
    '<%= config.bin %> events redeliver --failed --since 2026-11-20T08:00:00Z',
  ];
  static override strict = false;
  static override usage = 'events redeliver EVENT_ID... | --failed --since 3d [--dry-run]';
  static override flags = {
    failed: boolean({ summary: 'Redeliver the events whose delivery failed', dependsOn: ['since'] }),
    since: string({
      summary: 'Only events created since then',
      helpValue: '<duration or time>',
      dependsOn: ['failed'],
    }),
    'dry-run': boolean({ summary: 'Only list the events' }),
  };

  async run(): Promise<number | undefined> {
    const { argv, flags } = await this.parse(EventsRedeliver);
    if ((argv.length === 0) !== (flags.since !== undefined)) {
      throw usageError('Give either event ids or --failed --since.', 'Add --help to see examples.');
    }
    const ids = argv.map((id) => plainId(String(id), 'evt'));
    const instant = flags.since === undefined ? null : readInstant(flags.since);
    const { client, settings } = await this.connect(flags);
    const since = instant === null ? null : instant(await serverNowMs(settings));
    // Fetch all events first, so that a mistyped id fails before any event is redelivered.
    const events = since === null ? await eventsOf(ids, client) : await failedSince(since, client);
    if (!flags['dry-run']) return this.#redeliver(events, client);
    this.output.result({ data: events }, () =>
      events.length === 0 ? ['No failed events.'] : this.output.table(events, eventColumns(this.output)),
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
      if (step.kind === 'waiting') this.output.note(`Rate limit reached. Waiting ${step.waitS} s.`);
      if (step.kind === 'refused') failure = step.error;
      if (step.kind !== 'answered') continue;
      data.push(step.delivery);
      this.output.note(`${plainText(step.event.id)}: ${redeliveryWords(step.delivery)}`);
    }
    if (failure !== null && data.length === 0) throw failure;
    const refused = data.filter((delivery) => !isAccepted(delivery)).length;
    const notSent = events.length - data.length;
    this.output.result({ data, ...(notSent > 0 && { not_sent: notSent }) }, () => [
      `Redelivered ${counted(data.length, 'event')}${refused > 0 ? `, ${refused} refused by the receiver` : ''}${notSent > 0 ? `, ${notSent} not sent` : ''}.`,
    ]);
    if (failure instanceof ApiError) return exitCodeFor(failure.code, failure.status);
    return refused > 0 || failure !== null ? RECEIVER_REFUSED : undefined;
  }
}

async function eventsOf(ids: readonly string[], client: Client): Promise<EventResource[]> {
  const events: EventResource[] = [];
  for (const id of ids)
    events.push(await orNotFound(client.events.get(id), `event ${id}`, 'nameplate events list'));
  return events;
}

/**
 * Returns the events whose delivery failed, oldest first. An older server ignores the `delivery` filter, so the function filters again.
 *
 * @param since milliseconds since the epoch.
 */
async function failedSince(since: number, client: Client): Promise<EventResource[]> {
  const failed: EventResource[] = [];
  for await (const event of client.events.all({ delivery: 'failed', limit: 100 })) {
    if (Date.parse(event.created_at) < since) break;
    if (event.delivery.status === 'failed') failed.unshift(event);
  }
  return failed;
}
