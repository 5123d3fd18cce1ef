import { string } from '@oclif/core/args';
import { boolean, string as stringFlag } from '@oclif/core/flags';
import type { ChangedDomain } from '../../../shared/schema/domain.ts';
import { domainBody, domainFlags } from '../../arguments/domain-flags.ts';
import { durationMs } from '../../arguments/duration.ts';
import { shellQuote } from '../../arguments/shell-quote.ts';
import { waitFor } from '../../arguments/wait-for.ts';
import { domainLines, noteWarnings, recordLines } from '../../output/domain-view.ts';
import { plainText } from '../../output/plain-text.ts';
import { BaseCommand } from '../../runtime/base-command.ts';

export class DomainsAdd extends BaseCommand {
  static override description =
    'Adds a domain and prints the DNS records to create, the page on which your customer can do it, and what comes next. A hostname that the app already has is answered as it is.';
  static override examples = [
    '<%= config.bin %> domains add careers.acme.com',
    '<%= config.bin %> domains add careers.acme.com --metadata customer=42 --header X-Team=blue',
    '<%= config.bin %> domains add acme.com --apex-redirect www --wait',
  ];
  static override args = { hostname: string({ description: 'Such as careers.acme.com', required: true }) };
  static override flags = {
    ...domainFlags,
    wait: boolean({ summary: 'Wait until the domain is active' }),
    timeout: stringFlag({ summary: 'How long to wait', helpValue: '<duration>', default: '10m' }),
  };

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(DomainsAdd);
    const timeout_ms = durationMs(flags.timeout);
    const body = domainBody(flags);
    const { client } = await this.connect(flags);
    const added = await client.domains.create({ hostname: args.hostname, ...body });
    noteWarnings(added, flags, this.output);
    if (!flags.wait) {
      const then = `Then: ${shellQuote(['nameplate', 'domains', 'wait', added.hostname])}`;
      this.output.result(added, () => [
        ...this.#whatToDo(added),
        ...(added.status === 'active' ? [] : [then]),
      ]);
      return;
    }
    if (!this.output.json) for (const line of this.#whatToDo(added)) this.output.note(line);
    const [domain = added] = await waitFor([added.id], 'active', timeout_ms, {
      client,
      output: this.output,
      world: this.world,
    });
    this.output.result(domain, () => domainLines(domain, this.output));
  }

  #whatToDo(domain: ChangedDomain): string[] {
    const { paint, prose } = this.output;
    const hostname = plainText(domain.hostname);
    if (domain.status === 'active') return [`${hostname} is active.`];
    return [
      ...prose(`${hostname} is ${plainText(domain.status)} (${plainText(domain.id)}).`).map((line) =>
        line.replace(hostname, (name) => paint('bold', name)),
      ),
      '',
      'Records to create:',
      ...recordLines(domain, this.output),
      '',
      `Or let your customer do it here: ${plainText(domain.connect_url)}`,
    ];
  }
}
