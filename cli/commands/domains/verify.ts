import { domainArg } from '../../arguments/domain-arg.ts';
import { resolveDomainId } from '../../arguments/find-domain.ts';
import { shellQuote } from '../../arguments/shell-quote.ts';
import { BaseCommand } from '../../runtime/base-command.ts';

export class DomainsVerify extends BaseCommand {
  static override description =
    'Queues a DNS check now instead of at the next scheduled time. For a cert_failed domain, retries the certificate. Allowed once every 15 seconds per domain.';
  static override examples = ['<%= config.bin %> domains verify careers.acme.com'];
  static override args = domainArg;

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(DomainsVerify);
    const { client } = await this.connect(flags);
    const response = await client.domains.verify(await resolveDomainId(args.domain, client));
    this.output.result(response, () => [
      'Check queued.',
      `Then run: ${shellQuote(['nameplate', 'domains', 'wait', args.domain])}`,
    ]);
  }
}
