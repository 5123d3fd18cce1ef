import { allPages } from '../../../shared/client/pages.ts';
import type { CertificateResource, ListCertificatesQuery } from '../../../shared/schema/certificate.ts';
import { domainArg } from '../../arguments/domain-arg.ts';
import { resolveDomainId } from '../../arguments/find-domain.ts';
import { chosenColumns, fetchPage, listFlags, showPage } from '../../arguments/list-flags.ts';
import { CERTIFICATE_FIELDS, HISTORY_COLUMNS } from '../../output/certificate-view.ts';
import { BaseCommand } from '../../runtime/base-command.ts';

export class CertificatesHistory extends BaseCommand {
  static override description =
    'Lists the certificates that the edge serves or has served for a domain, newest first: when each was served, who issued it, when it expires, and its hostnames. Search the public certificate logs by the serial number.';
  static override examples = [
    '<%= config.bin %> certificates history careers.acme.com',
    "<%= config.bin %> certificates history careers.acme.com --jq '.data[].serial_number'",
  ];
  static override args = domainArg;
  static override flags = listFlags;

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(CertificatesHistory);
    const columns = chosenColumns<CertificateResource>(flags, HISTORY_COLUMNS, CERTIFICATE_FIELDS);
    const { client } = await this.connect(flags);
    const domainId = await resolveDomainId(args.domain, client);
    const list = (query: Partial<ListCertificatesQuery>) => client.domains.certificates(domainId, query);
    const page = await fetchPage({ list, all: (query) => allPages(list, query) }, flags, {});
    const { id, argv } = this;
    showPage(this.output, page, {
      flags,
      columns,
      id,
      argv,
      none: 'This domain has had no certificate yet.',
    });
  }
}
