import { BaseCommand } from '../../runtime/base-command.ts';
import { readUserConfig } from '../../settings/config-file.ts';

export class ProfilesList extends BaseCommand {
  static override description =
    'Lists the stored profiles. Each has an API key and the address of its server. Keys are not shown.';
  static override examples = ['<%= config.bin %> profiles list'];

  async run(): Promise<undefined> {
    await this.parse(ProfilesList);
    const config = readUserConfig(this.world);
    const data = Object.entries(config.profiles).map(([name, { base_url, api_key }]) => ({
      name,
      base_url,
      mode: api_key.startsWith('sk_live_') ? 'live' : 'test',
      in_use: name === config.profile,
    }));
    this.output.result({ data }, () => {
      if (data.length === 0) return ['No profiles. Run nameplate login to create one.'];
      return this.output.table(data, [
        { name: 'profile', value: (row) => row.name, shrinks: true },
        { name: 'mode', value: (row) => row.mode },
        { name: 'server', value: (row) => row.base_url, shrinks: true },
        { name: 'in use', value: (row) => (row.in_use ? 'yes' : '') },
      ]);
    });
  }
}
