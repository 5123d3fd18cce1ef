import { string } from '@oclif/core/args';
import { orNotFound } from '../../arguments/or-not-found.ts';
import { yesFlag } from '../../arguments/yes-flag.ts';
import { plainId } from '../../output/plain-id.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { confirm } from '../../runtime/prompt.ts';

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
