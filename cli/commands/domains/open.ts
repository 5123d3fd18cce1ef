import { domainArg } from '../../arguments/domain-arg.ts';
import { resolveDomain } from '../../arguments/find-domain.ts';
import { plainText } from '../../output/plain-text.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { openUrl } from '../../runtime/open-url.ts';

export class DomainsOpen extends BaseCommand {
  static override description =
    "Opens the domain's connect page, where your customer sets up the DNS, and prints its address. Without a terminal, only prints the address.";
  static override examples = ['<%= config.bin %> domains open careers.acme.com'];
  static override args = domainArg;

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(DomainsOpen);
    const { client } = await this.connect(flags);
    const { connect_url } = await resolveDomain(args.domain, client);
    this.output.result({ connect_url }, () => [plainText(connect_url)]);
    if (this.world.stdout.isTTY && !this.output.json) await openUrl(connect_url);
  }
}
