import { boolean, string } from '@oclif/core/flags';
import type { Client } from '../../../shared/client/client.ts';
import { ApiError } from '../../../shared/client/client-error.ts';
import type { DeliveryResource, EventResource } from '../../../shared/schema/event.ts';
import { BaseCommand } from '../../base-command.ts';
import { usageError } from '../../cli-error.ts';
import { durationMs } from '../../duration.ts';
import { answerWord, eventColumns } from '../../event-view.ts';
import { plainId } from '../../plain-id.ts';
import { plainText } from '../../plain-text.ts';

/** Waits beyond this are not a pace any more. */
const RETRY_AFTER_S_MAX = 120;
/** A limit that is still used up then is not ours to wait for: others use it up, or the server's clock stands still. */
const TRIES_MAX = 5;

export class EventsRedeliver extends BaseCommand {
  static override description =
    "Sends the original bodies again now, freshly signed, to the app's webhook URL, and prints each answer. Ten a minute are allowed: more are paced. --failed takes the events whose delivery failed since a time, oldest first.";
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

  async run(): Promise<undefined> {
    const { argv, flags } = await this.parse(EventsRedeliver);
    if ((argv.length === 0) !== (flags.since !== undefined)) {
      throw usageError('Name events, or give --failed --since, not both.', 'Add --help to see how.');
    }
    const ids = argv.map((id) => plainId(String(id), 'evt'));
    const since = flags.since === undefined ? null : instantOf(flags.since);
    const { client } = await this.connect(flags);
    const events = since === null ? null : await failedSince(since, client);
    if (flags['dry-run']) {
      const data = events ?? (await Promise.all(ids.map((id) => client.events.get(id))));
      this.output.result({ data }, () =>
        data.length === 0 ? ['There are none.'] : this.output.table(data, eventColumns(this.output)),
      );
      return;
    }
    const data = [];
    for (const id of events?.map((event) => event.id) ?? ids) data.push(await this.#redeliver(id, client));
    this.output.result({ data }, () => [`Redelivered ${data.length}.`]);
  }

  /** Once the limit is used up, waits as long as the answer says. @throws ApiError 429 when that did not help. */
  async #redeliver(id: string, client: Client): Promise<DeliveryResource> {
    for (let tries = 1; ; tries++) {
      try {
        const delivery = await client.events.redeliver(id);
        this.output.note(
          `${plainText(id)}: ${answerWord(delivery)} in ${plainText(delivery.response_ms)} ms`,
        );
        return delivery;
      } catch (error) {
        const wait_s = error instanceof ApiError && error.status === 429 ? error.retry_after_s : undefined;
        if (wait_s === undefined || wait_s > RETRY_AFTER_S_MAX || tries === TRIES_MAX) throw error;
        this.output.note(`The limit is reached: waiting ${wait_s} s.`);
        await this.world.sleep(wait_s * 1000);
      }
    }
  }
}

/** A duration back from now, or a time. */
function instantOf(text: string): number {
  if (/^\d{4}-/.test(text) && !Number.isNaN(Date.parse(text))) return Date.parse(text);
  return Date.now() - durationMs(text);
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
