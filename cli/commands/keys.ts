import { string } from '@oclif/core/args';
import type { ApiKeyResource } from '../../shared/schema/api-key.ts';
import { orNotFound } from '../arguments/explain-api-error.ts';
import { ListCommand, listFlags } from '../arguments/list-flags.ts';
import { plainId } from '../arguments/read-values.ts';
import { type FieldsOf, VALUE } from '../output/field-columns.ts';
import type { TableColumn } from '../output/table.ts';
import { BaseCommand } from '../runtime/base-command.ts';
import { confirm, yesFlag } from '../runtime/prompt.ts';

export class KeysList extends ListCommand {
  static override description =
    "Lists the app's active API keys, newest first. A test key lists only test keys.";
  static override examples = ['<%= config.bin %> keys list', '<%= config.bin %> keys list --all --json'];
  static override flags = listFlags;

  async run(): Promise<undefined> {
    const { flags } = await this.parse(KeysList);
    const view = { columns: KEY_COLUMNS, fields: KEY_FIELDS, none: 'No API keys found.' };
    return this.list(flags, view, ({ keys }) => ({ source: keys, query: {} }));
  }
}

const KEY_COLUMNS: readonly TableColumn<ApiKeyResource>[] = [
  { name: 'name', value: (key) => key.name, shrinks: true },
  { name: 'mode', value: (key) => key.mode },
  { name: 'last used', value: (key) => key.last_used_at, isTime: true, optional: true },
  { name: 'created', value: (key) => key.created_at, isTime: true, optional: true },
  { name: 'ends in', value: (key) => key.last4, optional: true },
  // A narrow table keeps this column too, because users need the id for `keys revoke`.
  { name: 'id', value: (key) => key.id },
];

const KEY_FIELDS: FieldsOf<ApiKeyResource> = {
  id: VALUE,
  name: VALUE,
  mode: VALUE,
  prefix: VALUE,
  last4: VALUE,
  created_at: VALUE,
  last_used_at: VALUE,
};

export class KeysRevoke extends BaseCommand {
  static override description = 'Revokes API keys permanently. They stop working within 5 seconds.';
  static override examples = [
    '<%= config.bin %> keys revoke key_01k… --yes',
    '<%= config.bin %> keys revoke key_01k… key_01k…',
  ];
  static override args = {
    id: string({ description: 'Ids of the keys, key_…', required: true, multiple: true }),
  };
  static override flags = yesFlag;

  async run(): Promise<number | undefined> {
    const { args, flags } = await this.parse(KeysRevoke);
    const ids = args.id.map((id) => plainId(id, 'key'));
    const { client } = await this.connect(flags);
    await confirm(`Revoke ${ids.join(', ')}?`, flags.yes, this.world);
    return this.forEach(
      ids,
      async (id) => {
        await orNotFound(client.keys.revoke(id), `API key ${id}`, 'nameplate keys list');
        return { id, revoked: true };
      },
      ({ id }) => [`Revoked ${id}.`],
    );
  }
}
