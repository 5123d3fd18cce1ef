import { plainText } from '../output/plain-text.ts';
import { BaseCommand } from '../runtime/base-command.ts';

export class Whoami extends BaseCommand {
  static override description =
    'Shows the app, mode and server that commands in this folder use, and where the key and the address came from. Does not show the key.';
  static override examples = [
    '<%= config.bin %> whoami',
    '<%= config.bin %> whoami --profile production --json',
  ];

  async run(): Promise<undefined> {
    const { flags } = await this.parse(Whoami);
    const { client, settings } = await this.connect(flags);
    const app = await client.apps.get();
    const { baseUrl, mode, profile, baseUrlFrom, apiKeyFrom } = settings;
    const document = {
      app: { id: app.id, name: app.name },
      mode,
      base_url: baseUrl,
      base_url_from: baseUrlFrom,
      profile,
      api_key_from: apiKeyFrom,
    };
    this.output.result(document, () =>
      this.output.fields([
        ['app', `${plainText(app.name)} (${plainText(app.id)})`],
        ['mode', mode],
        ['server', `${baseUrl} (${baseUrlFrom})`],
        ['key', `from ${apiKeyFrom}`],
        ...(profile === null ? [] : [['profile', plainText(profile)] as const]),
      ]),
    );
  }
}
