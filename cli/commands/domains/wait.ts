import { string } from '@oclif/core/flags';
import { STATUSES } from '../../../shared/core/domains/status.ts';
import { durationMs } from '../../arguments/duration.ts';
import { resolveDomainId } from '../../arguments/find-domain.ts';
import { READY_TO_SWITCH, waitFor } from '../../arguments/wait-for.ts';
import { domainColumns } from '../../output/domain-view.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { type CliError, usageError } from '../../runtime/cli-error.ts';
import { stoppedWaiting } from '../../runtime/interrupted.ts';

export class DomainsWait extends BaseCommand {
  static override description =
    'Waits until all the domains are active, or have the status of --for. With --for ready_to_switch, waits for the certificates of hostnames that have not moved yet. Exit codes: 3 if the timeout passes, 9 as soon as a domain cannot get there by itself.';
  static override examples = [
    '<%= config.bin %> domains wait careers.acme.com',
    '<%= config.bin %> domains wait careers.acme.com jobs.acme.com --timeout 30m',
    '<%= config.bin %> domains wait careers.acme.com --for issuing',
    '<%= config.bin %> domains wait careers.acme.com --for ready_to_switch',
  ];
  static override strict = false;
  static override usage = 'domains wait HOSTNAME... [--for active] [--timeout 10m]';
  static override flags = {
    for: string({
      summary: 'The status to wait for, or ready_to_switch',
      options: [...STATUSES, READY_TO_SWITCH],
      default: 'active',
    }),
    timeout: string({ summary: 'How long to wait', helpValue: '<duration>', default: '10m' }),
  };

  /** The first domain, once the command waits. */
  #waitingFor: string | null = null;

  override interruption(): CliError {
    return this.#waitingFor === null ? super.interruption() : stoppedWaiting(this.#waitingFor);
  }

  async run(): Promise<undefined> {
    const { argv, flags } = await this.parse(DomainsWait);
    if (argv.length === 0) throw usageError('No domain given.', 'Name one or more domains to wait for.');
    const timeoutMs = durationMs(flags.timeout);
    const { client } = await this.connect(flags);
    const ids: string[] = [];
    for (const domain of argv) ids.push(await resolveDomainId(String(domain), client));
    this.#waitingFor = String(argv[0]);
    const domains = await waitFor([...new Set(ids)], flags.for, timeoutMs, {
      client,
      output: this.output,
      world: this.world,
    });
    this.output.result({ data: domains }, () => this.output.table(domains, domainColumns(this.output)));
  }
}
