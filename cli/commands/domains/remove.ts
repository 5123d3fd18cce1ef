import { domainArg } from '../../arguments/domain-arg.ts';
import { resolveDomain } from '../../arguments/find-domain.ts';
import { yesFlag } from '../../arguments/yes-flag.ts';
import { plainText } from '../../output/plain-text.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { confirm } from '../../runtime/prompt.ts';

export class DomainsRemove extends BaseCommand {
  static override description =
    'Deletes a domain. Routing stops within 5 seconds. You can add the hostname again at once, as a new domain.';
  static override examples = ['<%= config.bin %> domains remove careers.acme.com --yes'];
  static override args = domainArg;
  static override flags = yesFlag;

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(DomainsRemove);
    const { client } = await this.connect(flags);
    const { id, hostname } = await resolveDomain(args.domain, client);
    const name = plainText(hostname);
    await confirm(`Delete ${name}? Visitors can then no longer reach it.`, flags.yes, this.world);
    await client.domains.delete(id);
    this.output.result({ id, hostname, deleted: true }, () => [`Deleted ${name}.`]);
  }
}
