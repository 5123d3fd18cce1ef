import { string } from '@oclif/core/flags';
import { chosenColumns, fetchPage, listFlags, showPage } from '../../arguments/list-flags.ts';
import { currentColumns } from '../../output/certificate-view.ts';
import { DOMAIN_FIELDS } from '../../output/domain-view.ts';
import { BaseCommand } from '../../runtime/base-command.ts';

export class CertificatesList extends BaseCommand {
  static override description =
    "Lists your domains, newest first, with the certificate that each one serves now: who issued it, when it expires, and when Nameplate renews it. A domain without a certificate has none of these. certificates history shows a domain's earlier certificates.";
  static override examples = [
    '<%= config.bin %> certificates list',
    '<%= config.bin %> certificates list --all --csv --columns hostname,certificate.not_after',
    "<%= config.bin %> certificates list --all --jq '.data[] | select(.certificate == null) | .hostname'",
  ];
  static override flags = {
    ...listFlags,
    hostname: string({ summary: 'Only hostnames that begin with this', helpValue: '<prefix>' }),
  };

  async run(): Promise<undefined> {
    const { flags } = await this.parse(CertificatesList);
    const columns = chosenColumns(flags, currentColumns(this.output), DOMAIN_FIELDS);
    const { client } = await this.connect(flags);
    const query = flags.hostname === undefined ? {} : { hostname: flags.hostname };
    const page = await fetchPage(client.domains, flags, query);
    const { id, argv } = this;
    showPage(this.output, page, { flags, columns, id, argv, none: 'No domains found.' });
  }
}
