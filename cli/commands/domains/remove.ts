import { BaseCommand } from '../../base-command.ts';
import { domainArg } from '../../domain-arg.ts';
import { findDomain } from '../../find-domain.ts';
import { plainText } from '../../plain-text.ts';
import { confirm } from '../../prompt.ts';
import { yesFlag } from '../../yes-flag.ts';

export class DomainsRemove extends BaseCommand {
  static override description =
    'Deletes a domain. Routing stops within 5 seconds; the hostname can be added again at once, as a new domain.';
  static override examples = ['<%= config.bin %> domains remove careers.acme.com --yes'];
  static override args = domainArg;
  static override flags = yesFlag;

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(DomainsRemove);
    const { client } = await this.connect(flags);
    const { id, hostname } = await findDomain(args.domain, client);
    const name = plainText(hostname);
    await confirm(`Delete ${name}? Its visitors will no longer reach you.`, flags.yes, this.world);
    await client.domains.delete(id);
    this.output.result({ id, hostname, deleted: true }, () => [`Deleted ${name}.`]);
  }
}
