import { appLines } from '../output/app-view.ts';
import { plainText } from '../output/plain-text.ts';
import { BaseCommand } from '../runtime/base-command.ts';
import { confirm, yesFlag } from '../runtime/prompt.ts';

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

export class AppsRotateSecret extends BaseCommand {
  static override description =
    'Creates a new signing secret for webhooks and origin requests, and prints only the secret on stdout. It is shown nowhere else. The previous secret stays valid for 24 hours. Needs a live key.';
  static override examples = [
    '<%= config.bin %> apps rotate-secret',
    '<%= config.bin %> apps rotate-secret --yes --json',
  ];
  static override flags = yesFlag;

  async run(): Promise<undefined> {
    const { flags } = await this.parse(AppsRotateSecret);
    const { client } = await this.connect(flags);
    await confirm('Create a new signing secret?', flags.yes, this.world);
    const rotated = await client.apps.rotateSecret();
    this.output.result(rotated, () => [plainText(rotated.signing_secret)]);
    const until = this.output.time(rotated.previous_valid_until);
    this.output.tell(`The previous secret stays valid until ${until}.`);
  }
}
