import { string } from '@oclif/core/flags';
import { MODES } from '../../../shared/core/domains/status.ts';
import { plainText } from '../../output/plain-text.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { usageError } from '../../runtime/cli-error.ts';

export class KeysCreate extends BaseCommand {
  static override description =
    'Creates an API key and prints it on stdout. It is shown only this once. A test key can create only test keys.';
  static override examples = [
    '<%= config.bin %> keys create --name ci --mode test',
    '<%= config.bin %> keys create --name production --mode live --json',
  ];
  static override flags = {
    name: string({ summary: 'A label, 1 to 80 characters', required: true }),
    mode: string({ summary: 'The mode that the key works in', options: MODES, required: true }),
  };

  async run(): Promise<undefined> {
    const { flags } = await this.parse(KeysCreate);
    const mode = MODES.find((value) => value === flags.mode);
    if (mode === undefined)
      throw usageError('--mode must be live or test.', 'Add --mode live or --mode test.');
    const { client } = await this.connect(flags);
    const created = await client.keys.create({ name: flags.name, mode });
    this.output.result(created, () => [plainText(created.key)]);
    if (!this.output.json) {
      const { note, prose } = this.output;
      for (const line of prose(`Created ${plainText(created.id)}. Save the key now; it is not shown again.`))
        note(line);
    }
  }
}
