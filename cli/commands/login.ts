import { string } from '@oclif/core/flags';
import { ApiError } from '../../shared/client/client-error.ts';
import type { AppResource } from '../../shared/schema/app.ts';
import { plainText } from '../output/plain-text.ts';
import { BaseCommand, unencryptedWarning } from '../runtime/base-command.ts';
import { CliError, usageError } from '../runtime/cli-error.ts';
import { askSecret, canAsk, readStdin } from '../runtime/prompt.ts';
import { isUnencrypted } from '../settings/base-url.ts';
import { changeUserConfig, userConfigFile } from '../settings/config-file.ts';
import { loginTarget } from '../settings/login-target.ts';

export class Login extends BaseCommand {
  static override description =
    'Checks an API key and stores it with the address of its server, in a file that only you can read. The command asks for the key, or reads it from stdin with --with-key -. It never takes the key as an argument, because other programs can see the command line.';
  static override examples = [
    '<%= config.bin %> login --base-url https://api.example.com',
    'printenv KEY | <%= config.bin %> login --with-key - --profile production',
  ];
  static override flags = {
    'with-key': string({ summary: 'Read the key from stdin', helpValue: '-' }),
  };

  async run(): Promise<undefined> {
    const { flags } = await this.parse(Login);
    const { profile, baseUrl } = await loginTarget(flags, this.world);
    if (isUnencrypted(baseUrl)) this.output.note(unencryptedWarning(baseUrl));
    const apiKey = await this.#readKey(flags['with-key'], baseUrl);
    const app = await this.#checkKey(baseUrl, apiKey);

    await changeUserConfig(this.world, ({ profiles }) => ({
      profile,
      profiles: { ...profiles, [profile]: { base_url: baseUrl, api_key: apiKey } },
    }));

    const mode = apiKey.startsWith('sk_live_') ? 'live' : 'test';
    const document = { profile, base_url: baseUrl, mode, app: { id: app.id, name: app.name } };
    this.output.result(document, () => [
      `Logged in to ${plainText(app.name)} (${mode} mode) at ${baseUrl}.`,
      `The profile "${plainText(profile)}" is stored in ${userConfigFile(this.world)}.`,
    ]);
  }

  async #readKey(withKey: string | undefined, baseUrl: string): Promise<string> {
    if (withKey !== undefined && withKey !== '-') {
      throw usageError(
        'Do not put the key on the command line: other programs can see it there.',
        'Use --with-key - and pass the key on stdin.',
      );
    }
    if (withKey === undefined && !canAsk(this.world)) {
      throw usageError(
        'Cannot ask for the key without a terminal.',
        'Pass the key on stdin with --with-key -.',
      );
    }
    const text =
      withKey === '-' ? await readStdin(this.world) : await askSecret(`API key for ${baseUrl}: `, this.world);
    const key = text.trim();
    if (/^sk_(live|test)_[0-9A-Za-z]+$/.test(key)) return key;
    throw new CliError('no_api_key', 'That is not an API key.', {
      fix: 'Keys start with sk_live_ or sk_test_.',
    });
  }

  /** Returns the app of the key. @throws ApiError `unauthorized` with a fix for a key that was just typed. */
  async #checkKey(baseUrl: string, apiKey: string): Promise<AppResource> {
    try {
      const client = this.clientOf({ baseUrl, apiKey });
      return await client.apps.get();
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'unauthorized')) throw error;
      const message = `${baseUrl} does not accept this key.`;
      throw new ApiError({ ...error, message, fix: 'Check the key and the server address (--base-url).' });
    }
  }
}
