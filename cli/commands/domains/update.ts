import { boolean } from '@oclif/core/flags';
import { domainsArg } from '../../arguments/domain-arg.ts';
import { domainBody, domainFlags } from '../../arguments/domain-flags.ts';
import { resolveDomainId } from '../../arguments/find-domain.ts';
import { domainLines, noteWarnings } from '../../output/domain-view.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { usageError } from '../../runtime/cli-error.ts';

export class DomainsUpdate extends BaseCommand {
  static override description =
    'Changes the given fields of one domain or more, and keeps the others. Metadata and headers are replaced as a whole, so give all of them.';
  static override examples = [
    '<%= config.bin %> domains update careers.acme.com --metadata customer=42 --metadata plan=gold',
    '<%= config.bin %> domains update careers.acme.com --clear-origin --clear-headers',
  ];
  static override args = domainsArg;
  static override flags = {
    ...domainFlags,
    'clear-origin': boolean({ summary: "Forward to the app's origin again", exclusive: ['origin'] }),
    'clear-metadata': boolean({ summary: 'Remove the metadata', exclusive: ['metadata'] }),
    'clear-headers': boolean({ summary: 'Remove the headers', exclusive: ['header'] }),
  };

  async run(): Promise<number | undefined> {
    const { args, flags } = await this.parse(DomainsUpdate);
    const body = {
      ...domainBody(flags),
      ...(flags['clear-origin'] && { origin: null }),
      ...(flags['clear-metadata'] && { metadata: null }),
      ...(flags['clear-headers'] && { origin_headers: null }),
    };
    if (Object.keys(body).length === 0) {
      throw usageError('Nothing to change.', 'Add --help to see the flags.');
    }
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
