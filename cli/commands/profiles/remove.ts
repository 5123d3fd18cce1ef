import { string } from '@oclif/core/args';
import { yesFlag } from '../../arguments/yes-flag.ts';
import { plainText } from '../../output/plain-text.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { confirm } from '../../runtime/prompt.ts';
import { profileNamed, readUserConfig } from '../../settings/config-file.ts';
import { removeProfile } from '../../settings/remove-profile.ts';

export class ProfilesRemove extends BaseCommand {
  static override description =
    'Removes a profile and its stored key. The key itself stays valid; use keys revoke to end it.';
  static override examples = ['<%= config.bin %> profiles remove staging --yes'];
  static override args = { name: string({ description: 'Name of the profile', required: true }) };
  static override flags = yesFlag;

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(ProfilesRemove);
    profileNamed(args.name, readUserConfig(this.world));
    await confirm(`Remove the profile "${plainText(args.name)}" and its key?`, flags.yes, this.world);
    await removeProfile(args.name, this.world);
    this.output.result({ profile: args.name, removed: true }, () => [`Removed "${plainText(args.name)}".`]);
  }
}
