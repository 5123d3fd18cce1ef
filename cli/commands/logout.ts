import { plainText } from '../output/plain-text.ts';
import { BaseCommand } from '../runtime/base-command.ts';
import { readUserConfig } from '../settings/config-file.ts';
import { removeProfile } from '../settings/remove-profile.ts';

export class Logout extends BaseCommand {
  static override description =
    'Removes the stored key of the profile in use, or of --profile. The key itself stays valid; use keys revoke to end it.';
  static override examples = ['<%= config.bin %> logout', '<%= config.bin %> logout --profile production'];

  async run(): Promise<undefined> {
    const { flags } = await this.parse(Logout);
    const { env } = this.world;
    const profile = flags.profile ?? (env.NAMEPLATE_PROFILE || readUserConfig(this.world).profile);
    await removeProfile(profile, this.world);
    this.output.result({ profile, removed: true }, () => [`Removed the key of "${plainText(profile)}".`]);
    if (env.NAMEPLATE_API_KEY) this.output.note('NAMEPLATE_API_KEY is still set, so commands keep using it.');
  }
}
