import { appLines } from '../../output/app-view.ts';
import { BaseCommand } from '../../runtime/base-command.ts';

export class AppsGet extends BaseCommand {
  static override description =
    'Shows the app of the API key, with the state of its origin and its white-label host.';
  static override examples = ['<%= config.bin %> apps get', '<%= config.bin %> apps get --json'];

  async run(): Promise<undefined> {
    const { flags } = await this.parse(AppsGet);
    const { client } = await this.connect(flags);
    const app = await client.apps.get();
    this.output.result(app, () => appLines(app, this.output));
  }
}
