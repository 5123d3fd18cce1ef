import { string } from '@oclif/core/args';
import { orNotFound } from '../../arguments/or-not-found.ts';
import { deliveryColumns, eventLines, responseLines } from '../../output/event-view.ts';
import { plainId } from '../../output/plain-id.ts';
import { BaseCommand } from '../../runtime/base-command.ts';

export class EventsGet extends BaseCommand {
  static override description = 'Shows an event with its latest delivery attempts, newest first.';
  static override examples = ['<%= config.bin %> events get evt_01k…'];
  static override args = { id: string({ description: 'Id of the event, evt_…', required: true }) };

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(EventsGet);
    const id = plainId(args.id, 'evt');
    const { client } = await this.connect(flags);
    const event = await orNotFound(client.events.get(id), `event ${id}`, 'nameplate events list');
    this.output.result(event, () => [
      ...eventLines(event, this.output),
      '',
      ...(event.deliveries.length === 0
        ? ['No delivery attempts.']
        : this.output.table(event.deliveries, deliveryColumns())),
      ...responseLines(event.deliveries),
    ]);
  }
}
