import { string } from '@oclif/core/args';
import { orNotFound } from '../../arguments/or-not-found.ts';
import { deliveryColumns, eventLines, responseLines } from '../../output/event-view.ts';
import { plainId } from '../../output/plain-id.ts';
import { BaseCommand } from '../../runtime/base-command.ts';

export class EventsGet extends BaseCommand {
  static override description = 'Shows events with their latest delivery attempts, newest first.';
  static override examples = [
    '<%= config.bin %> events get evt_01k…',
    '<%= config.bin %> events get evt_01k… evt_01k… --json',
  ];
  static override args = {
    id: string({ description: 'Ids of the events, evt_…', required: true, multiple: true }),
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
