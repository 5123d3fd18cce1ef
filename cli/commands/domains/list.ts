import { option, string } from '@oclif/core/flags';
import { STATUSES } from '../../../shared/core/domains/status.ts';
import { ListCommand, listFlags } from '../../arguments/list-flags.ts';
import { pairs } from '../../arguments/read-values.ts';
import { currentColumns } from '../../output/certificate-view.ts';
import { DOMAIN_FIELDS, domainColumns } from '../../output/domain-view.ts';

export class DomainsList extends ListCommand {
  static override description =
    "Lists the domains in the key's mode, newest first. Below each page is the command for the next one; --all prints every page.";
  static override examples = [
    '<%= config.bin %> domains list --status active',
    '<%= config.bin %> domains list --hostname careers. --metadata customer=42',
    '<%= config.bin %> domains list --all --csv --columns hostname,status,metadata.customer',
  ];
  static override flags = {
    ...listFlags,
    status: option({ summary: 'Only domains in this status', options: STATUSES })(),
    hostname: string({ summary: 'Only hostnames that begin with this', helpValue: '<prefix>' }),
    metadata: string({
      summary: 'Only domains with this metadata value, repeatable',
      helpValue: 'name=value',
      multiple: true,
      multipleNonGreedy: true,
    }),
  };

  async run(): Promise<undefined> {
    const { flags } = await this.parse(DomainsList);
    const query = {
      ...(flags.status !== undefined && { status: flags.status }),
      ...(flags.hostname !== undefined && { hostname: flags.hostname }),
      ...(flags.metadata && { metadata: pairs(flags.metadata, '--metadata') }),
    };
    const view = { columns: domainColumns(this.output), fields: DOMAIN_FIELDS, none: 'No domains found.' };
    return this.list(flags, view, ({ domains }) => ({ source: domains, query }));
  }
}

export class CertificatesList extends ListCommand {
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
    const query = flags.hostname === undefined ? {} : { hostname: flags.hostname };
    const view = { columns: currentColumns(this.output), fields: DOMAIN_FIELDS, none: 'No domains found.' };
    return this.list(flags, view, ({ domains }) => ({ source: domains, query }));
  }
}
