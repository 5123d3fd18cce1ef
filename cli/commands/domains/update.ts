import { domainFields, noteWarnings } from '../../arguments/domain-flags.ts';
import { domainsArg, resolveDomainId } from '../../arguments/find-domain.ts';
import { domainLines } from '../../output/domain-view.ts';
import { BaseCommand } from '../../runtime/base-command.ts';

export class DomainsUpdate extends BaseCommand {
  static override description =
    'Changes the given fields of one domain or more, and keeps the others. Metadata and headers are replaced as a whole, so give all of them.';
  static override examples = [
    '<%= config.bin %> domains update careers.acme.com --metadata customer=42 --metadata plan=gold',
    '<%= config.bin %> domains update careers.acme.com --clear-origin --clear-headers',
  ];
  static override args = domainsArg;
  static override flags = { ...domainFields.set, ...domainFields.clear };

  async run(): Promise<number | undefined> {
    const { args, flags } = await this.parse(DomainsUpdate);
    const body = domainFields.changes(flags);
    const { client } = await this.connect(flags);
    return this.forEach(
      args.domain,
      async (reference) => {
        const domain = await client.domains.update(await resolveDomainId(reference, client), body);
        noteWarnings(domain, flags, this.output);
        return domain;
      },
      (domain) => domainLines(domain, this.output),
    );
  }
}
