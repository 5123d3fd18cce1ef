import { string } from '@oclif/core/args';
import { orNotFound } from '../../arguments/or-not-found.ts';
import { yesFlag } from '../../arguments/yes-flag.ts';
import { plainId } from '../../output/plain-id.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { confirm } from '../../runtime/prompt.ts';

export class KeysRevoke extends BaseCommand {
  static override description = 'Revokes an API key permanently. It stops working within 5 seconds.';
  static override examples = ['<%= config.bin %> keys revoke key_01k… --yes'];
  static override args = { id: string({ description: 'Id of the key, key_…', required: true }) };
  static override flags = yesFlag;

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(KeysRevoke);
    const id = plainId(args.id, 'key');
    const { client } = await this.connect(flags);
    await confirm(`Revoke ${id}?`, flags.yes, this.world);
    await orNotFound(client.keys.revoke(id), `API key ${id}`, 'nameplate keys list');
    this.output.result({ id, revoked: true }, () => [`Revoked ${id}.`]);
  }
}
