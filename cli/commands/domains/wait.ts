import { string } from '@oclif/core/flags';
import { STATUSES } from '../../../shared/core/domains/status.ts';
import { durationMs } from '../../arguments/duration.ts';
import { findDomainId } from '../../arguments/find-domain.ts';
import { waitFor } from '../../arguments/wait-for.ts';
import { domainColumns } from '../../output/domain-view.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { usageError } from '../../runtime/cli-error.ts';

export class DomainsWait extends BaseCommand {
  static override description =
    'Waits until all the domains are active, or have another status. Ends with 3 when the time is up, and with 9 at once when one of them cannot get there by itself.';
  static override examples = [
    '<%= config.bin %> domains wait careers.acme.com',
    '<%= config.bin %> domains wait careers.acme.com jobs.acme.com --timeout 30m',
    '<%= config.bin %> domains wait careers.acme.com --for issuing',
  ];
  static override strict = false;
  static override usage = 'domains wait HOSTNAME... [--for active] [--timeout 10m]';
  static override flags = {
    for: string({ summary: 'The status to wait for', options: STATUSES, default: 'active' }),
    timeout: string({ summary: 'How long', helpValue: '<duration>', default: '10m' }),
  };

  async run(): Promise<undefined> {
    const { argv, flags } = await this.parse(DomainsWait);
    if (argv.length === 0) throw usageError('There is no domain to wait for.', 'Name one or more.');
    const timeout_ms = durationMs(flags.timeout);
    const { client } = await this.connect(flags);
    const ids: string[] = [];
    for (const domain of argv) ids.push(await findDomainId(String(domain), client));
    const domains = await waitFor([...new Set(ids)], flags.for, timeout_ms, {
      client,
      output: this.output,
      world: this.world,
    });
    this.output.result({ data: domains }, () => this.output.table(domains, domainColumns(this.output)));
  }
}
