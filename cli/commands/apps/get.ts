import { appLines } from '../../output/app-view.ts';
import { BaseCommand } from '../../runtime/base-command.ts';

export class AppsGet extends BaseCommand {
  static override description =
    'Shows the app that the API key belongs to, with the state of its origin and white-label host.';
  static override examples = ['<%= config.bin %> apps get', '<%= config.bin %> apps get --json'];

  async run(): Promise<undefined> {
    const { flags } = await this.parse(AppsGet);
    const { client } = await this.connect(flags);
    const app = await client.apps.get();
    this.output.result(app, () => appLines(app, this.output));
  }
}
