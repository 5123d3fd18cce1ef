import { domainsArg } from '../../arguments/domain-arg.ts';
import { resolveDomain } from '../../arguments/find-domain.ts';
import { challengeLines, domainLines, recordLines } from '../../output/domain-view.ts';
import { BaseCommand } from '../../runtime/base-command.ts';

export class DomainsGet extends BaseCommand {
  static override description =
    'Shows domains: the status and its reason, the DNS records, and the certificate.';
  static override examples = [
    '<%= config.bin %> domains get careers.acme.com',
    '<%= config.bin %> domains get careers.acme.com jobs.acme.com',
    '<%= config.bin %> domains get dom_01k… --json',
  ];
  static override args = domainsArg;

  async run(): Promise<number | undefined> {
    const { args, flags } = await this.parse(DomainsGet);
    const { client } = await this.connect(flags);
    const { output } = this;
    return this.forEach(
      args.domain,
      (domain) => resolveDomain(domain, client),
      (domain) => [
        ...domainLines(domain, output),
        '',
        ...recordLines(domain, output),
        ...challengeLines(domain, output),
      ],
    );
  }
}
