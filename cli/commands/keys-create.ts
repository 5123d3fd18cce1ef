import { createKeySchema } from '../../shared/schema/api-key.ts';
import { fieldFlags } from '../arguments/field-flags.ts';
import { plainText } from '../output/plain-text.ts';
import { BaseCommand } from '../runtime/base-command.ts';

const fields = fieldFlags(createKeySchema, {
  name: { summary: 'A label, 1 to 80 characters' },
  mode: { summary: 'The mode that the key works in' },
});

export class KeysCreate extends BaseCommand {
  static override description =
    'Creates an API key and prints it on stdout. It is shown only this once. A test key can create only test keys.';
  static override examples = [
    '<%= config.bin %> keys create --name ci --mode test',
    '<%= config.bin %> keys create --name production --mode live --json',
  ];
  static override flags = fields.set;

  async run(): Promise<undefined> {
    const { flags } = await this.parse(KeysCreate);
    const { client } = await this.connect(flags);
    const created = await client.keys.create(fields.body(flags));
    this.output.result(created, () => [plainText(created.key)]);
    if (!this.output.json)
      this.output.tell(`Created ${plainText(created.id)}. Save the key now; it is not shown again.`);
  }
}
