import { option, string } from '@oclif/core/flags';
import { EVENT_TYPES } from '../../shared/core/webhooks/event.ts';
import { resolveDomainId } from '../arguments/find-domain.ts';
import { ListCommand, listFlags } from '../arguments/list-flags.ts';
import { DELIVERY_STATUSES } from '../events/event-words.ts';
import { EVENT_FIELDS, eventColumns } from '../output/event-view.ts';

export class EventsList extends ListCommand {
  static override description = 'Lists events with the state of their delivery, newest first.';
  static override examples = [
    '<%= config.bin %> events list --type domain.active',
    '<%= config.bin %> events list --delivery failed',
    '<%= config.bin %> events list --domain careers.acme.com --all --json',
    '<%= config.bin %> events list --csv --columns id,type,hostname,delivery.status',
  ];
  static override flags = {
    ...listFlags,
    type: option({ summary: 'Only events of this type', options: EVENT_TYPES })(),
    domain: string({ summary: 'Only events of this domain', helpValue: '<host or id>' }),
    delivery: option({
      summary: 'Only events whose delivery has this status',
      options: DELIVERY_STATUSES,
    })(),
  };

  async run(): Promise<undefined> {
    const { flags } = await this.parse(EventsList);
    const { type, domain, delivery } = flags;
    const view = { columns: eventColumns(this.output), fields: EVENT_FIELDS, none: 'No events found.' };
    return this.list(flags, view, async (client) => {
      const query = {
        ...(type !== undefined && { type }),
        ...(domain !== undefined && { domain_id: await resolveDomainId(domain, client) }),
        ...(delivery !== undefined && { delivery }),
      };
      return { source: client.events, query };
    });
  }
}
