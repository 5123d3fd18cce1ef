import { string } from '@oclif/core/args';
import { yesFlag } from '../../arguments/yes-flag.ts';
import { plainText } from '../../output/plain-text.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { confirm } from '../../runtime/prompt.ts';
import { profileNamed, readUserConfig } from '../../settings/config-file.ts';
import { removeProfile } from '../../settings/remove-profile.ts';

export class ProfilesRemove extends BaseCommand {
  static override description =
    'Removes profiles with their stored keys. The keys themselves stay valid; use keys revoke to end one.';
  static override examples = [
    '<%= config.bin %> profiles remove staging --yes',
    '<%= config.bin %> profiles rm staging old',
  ];
  static override args = {
    name: string({ description: 'Names of the profiles', required: true, multiple: true }),
  };
  static override flags = yesFlag;

  async run(): Promise<number | undefined> {
    const { args, flags } = await this.parse(ProfilesRemove);
    const config = readUserConfig(this.world);
    // A mistyped name must be reported before any profile is removed.
    for (const name of args.name) profileNamed(name, config);
    const names = args.name.map((name) => `"${plainText(name)}"`).join(', ');
    const what =
      args.name.length === 1 ? `the profile ${names} and its key` : `the profiles ${names} and their keys`;
    await confirm(`Remove ${what}?`, flags.yes, this.world);
    return this.forEach(
      args.name,
      async (profile) => {
        await removeProfile(profile, this.world);
        return { profile, removed: true };
      },
      ({ profile }) => [`Removed "${plainText(profile)}".`],
    );
  }
}
