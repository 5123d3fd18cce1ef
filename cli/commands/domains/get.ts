import { domainArg } from '../../arguments/domain-arg.ts';
import { resolveDomain } from '../../arguments/find-domain.ts';
import { challengeLines, domainLines, recordLines } from '../../output/domain-view.ts';
import { BaseCommand } from '../../runtime/base-command.ts';

export class DomainsGet extends BaseCommand {
  static override description =
    'Shows a domain: its status and the reason, its DNS records, and its certificate.';
  static override examples = [
    '<%= config.bin %> domains get careers.acme.com',
    '<%= config.bin %> domains get dom_01k… --json',
  ];
  static override args = domainArg;

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(DomainsGet);
    const { client } = await this.connect(flags);
    const domain = await resolveDomain(args.domain, client);
    this.output.result(domain, () => [
      ...domainLines(domain, this.output),
      '',
      ...recordLines(domain, this.output),
      ...challengeLines(domain, this.output),
    ]);
  }
}
