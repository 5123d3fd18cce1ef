import { boolean, string } from '@oclif/core/flags';
import { STATUSES } from '../../../shared/core/status.ts';
import type { DomainResource } from '../../../shared/schema/domain.ts';
import { BaseCommand } from '../../base-command.ts';
import { usageError } from '../../cli-error.ts';
import { csvLines } from '../../csv.ts';
import { domainColumns } from '../../domain-view.ts';
import { fetchPage, listFlags, nextPageLine, showPage } from '../../list-flags.ts';
import { pairs } from '../../pairs.ts';
import type { Column } from '../../table.ts';

export class DomainsList extends BaseCommand {
  static override description =
    'Lists the domains of the mode of the key, newest first. Under a page stands the command for the next one; --all prints every page.';
  static override examples = [
    '<%= config.bin %> domains list --status active',
    '<%= config.bin %> domains list --hostname careers. --metadata customer=42',
    '<%= config.bin %> domains list --all --csv --columns hostname,status,metadata.customer',
  ];
  static override flags = {
    ...listFlags,
    status: string({ summary: 'In this status only', options: STATUSES }),
    hostname: string({ summary: 'Hostnames that begin so', helpValue: '<prefix>' }),
    metadata: string({
      summary: 'With this value, repeatable',
      helpValue: 'name=value',
      multiple: true,
      multipleNonGreedy: true,
    }),
    columns: string({
      summary: 'Fields to show, with dots into objects',
      helpValue: 'hostname,status,…',
    }),
    csv: boolean({ summary: 'Print comma-separated values', exclusive: ['json'] }),
  };

  async run(): Promise<undefined> {
    const { flags } = await this.parse(DomainsList);
    const status = STATUSES.find((value) => value === flags.status);
    const query = {
      ...(status !== undefined && { status }),
      ...(flags.hostname !== undefined && { hostname: flags.hostname }),
      ...(flags.metadata && { metadata: pairs(flags.metadata, '--metadata') }),
    };
    const columns =
      flags.columns === undefined ? domainColumns(this.output) : flags.columns.split(',').map(fieldColumn);
    const { client } = await this.connect(flags);
    const page = await fetchPage(client.domains, flags, query);
    if (!flags.csv) {
      const { id, argv } = this;
      showPage(this.output, page, columns, { id, argv, none: 'There are no such domains.' });
      return;
    }
    this.output.result(page, () => csvLines(page.data, columns));
    const next = nextPageLine(page, this);
    if (next !== null) this.output.note(next);
  }
}

function fieldColumn(path: string): Column<DomainResource> {
  const names = path.trim().split('.');
  if (names.includes(''))
    throw usageError(`"${path}" is not a field.`, 'Name fields such as hostname or metadata.customer.');
  return { name: path.trim(), value: (domain) => fieldOf(domain, names), shrinks: true };
}

function fieldOf(value: unknown, names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (inside, name) =>
      typeof inside === 'object' && inside !== null && Object.hasOwn(inside, name)
        ? Reflect.get(inside, name)
        : undefined,
    value,
  );
}
