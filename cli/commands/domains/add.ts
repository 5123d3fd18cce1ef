import { string } from '@oclif/core/args';
import { boolean, string as stringFlag } from '@oclif/core/flags';
import type { ChangedDomain } from '../../../shared/schema/domain.ts';
import { domainFields, noteWarnings } from '../../arguments/domain-flags.ts';
import { durationMs } from '../../arguments/read-values.ts';
import { waitFor } from '../../arguments/wait-for.ts';
import { challengeLines, domainLines, recordLines } from '../../output/domain-view.ts';
import { plainText, shellQuote } from '../../output/plain-text.ts';
import { BaseCommand } from '../../runtime/base-command.ts';

export class DomainsAdd extends BaseCommand {
  static override description =
    'Adds a domain. Prints the DNS records to create, the address of the connect page for your customer, and the next command. If the app already has this hostname, prints the existing domain unchanged.';
  static override examples = [
    '<%= config.bin %> domains add careers.acme.com',
    '<%= config.bin %> domains add careers.acme.com --metadata customer=42 --header X-Team=blue',
    '<%= config.bin %> domains add acme.com --apex-redirect www --wait',
  ];
  static override args = {
    hostname: string({ description: 'The hostname to add, such as careers.acme.com', required: true }),
  };
  static override flags = {
    ...domainFields.set,
    wait: boolean({ summary: 'Wait until the domain is active' }),
    timeout: stringFlag({ summary: 'How long --wait waits', helpValue: '<duration>', default: '10m' }),
  };

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(DomainsAdd);
    const timeoutMs = durationMs(flags.timeout);
    const body = domainFields.body(flags);
    const { client } = await this.connect(flags);
    const added = await client.domains.create({ hostname: args.hostname, ...body });
    noteWarnings(added, flags, this.output);
    if (!flags.wait) {
      const next = `Then run: ${shellQuote(['nameplate', 'domains', 'wait', added.hostname])}`;
      this.output.result(added, () => [
        ...this.#setupLines(added),
        ...(added.status === 'active' ? [] : [next]),
      ]);
      return;
    }
    this.waitsFor = added.hostname;
    if (!this.output.json) for (const line of this.#setupLines(added)) this.output.note(line);
    const [domain = added] = await waitFor([added.id], 'active', timeoutMs, {
      client,
      output: this.output,
      world: this.world,
    });
    this.output.result(domain, () => domainLines(domain, this.output));
  }

  #setupLines(domain: ChangedDomain): string[] {
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
      ...challengeLines(domain, this.output),
      '',
      `Or send your customer here: ${plainText(domain.connect_url)}`,
    ];
  }
}
