import { option, string } from '@oclif/core/flags';
import { EVENT_TYPES } from '../../shared/core/webhooks/event.ts';
import { resolveDomainId } from '../arguments/find-domain.ts';
import { chosenColumns, fetchPage, listFlags, showPage } from '../arguments/list-flags.ts';
import { DELIVERY_STATUSES } from '../events/event-words.ts';
import { EVENT_FIELDS, eventColumns } from '../output/event-view.ts';
import { BaseCommand } from '../runtime/base-command.ts';

export class EventsList extends BaseCommand {
  static override description = 'Lists events with the state of their delivery, newest first.';
  static override examples = [
    '<%= config.bin %> events list --type domain.active',
    '<%= config.bin %> events list --delivery failed',
    '<%= config.bin %> events list --domain careers.acme.com --all --json',
    '<%= config.bin %> events list --csv --columns id,type,hostname,delivery.status',
  ];
  static override flags = {
    ...listFlags,
    type: string({ summary: 'Only events of this type', options: EVENT_TYPES }),
    domain: string({ summary: 'Only events of this domain', helpValue: '<host or id>' }),
    delivery: option({
      summary: 'Only events whose delivery has this status',
      options: DELIVERY_STATUSES,
    })(),
  };

  async run(): Promise<undefined> {
    const { flags } = await this.parse(EventsList);
    const type = EVENT_TYPES.find((value) => value === flags.type);
    const columns = chosenColumns(flags, eventColumns(this.output), EVENT_FIELDS);
    const { client } = await this.connect(flags);
    const domainId = flags.domain === undefined ? undefined : await resolveDomainId(flags.domain, client);
    const query = {
      ...(type !== undefined && { type }),
      ...(domainId !== undefined && { domain_id: domainId }),
      ...(flags.delivery !== undefined && { delivery: flags.delivery }),
    };
    const page = await fetchPage(client.events, flags, query);
    const { id, argv } = this;
    showPage(this.output, page, { flags, columns, id, argv, none: 'No events found.' });
  }
}
