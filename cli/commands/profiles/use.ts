import { string } from '@oclif/core/args';
import { plainText } from '../../output/plain-text.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { changeUserConfig, profileNamed } from '../../settings/config-file.ts';

export class ProfilesUse extends BaseCommand {
  static override description = 'Chooses the profile that commands use by default.';
  static override examples = ['<%= config.bin %> profiles use production'];
  static override args = { name: string({ description: 'Name of the profile', required: true }) };

  async run(): Promise<undefined> {
    const { args } = await this.parse(ProfilesUse);
    let baseUrl = '';
    await changeUserConfig(this.world, (config) => {
      baseUrl = profileNamed(args.name, config).base_url;
      return { ...config, profile: args.name };
    });
    this.output.result({ profile: args.name, base_url: baseUrl }, () => [
      `Commands now use "${plainText(args.name)}" (${baseUrl}).`,
    ]);
  }
}
