import { text as readStreamText } from 'node:stream/consumers';
import { string as stringArg } from '@oclif/core/args';
import { string } from '@oclif/core/flags';
import { ApiError } from '../../shared/client/client-error.ts';
import type { AppResource } from '../../shared/schema/app.ts';
import { plainText } from '../output/plain-text.ts';
import { BaseCommand, unencryptedWarning } from '../runtime/base-command.ts';
import { CliError, usageError } from '../runtime/cli-error.ts';
import { askSecret, canAsk, confirm, yesFlag } from '../runtime/prompt.ts';
import { isUnencrypted } from '../settings/base-url.ts';
import {
  changeUserConfig,
  profileNamed,
  readUserConfig,
  removeProfile,
  userConfigFile,
} from '../settings/config-file.ts';
import { loginTarget } from '../settings/settings.ts';

export class ProfilesList extends BaseCommand {
  static override description =
    'Lists the stored profiles. Each has an API key and the address of its server. Keys are not shown.';
  static override examples = ['<%= config.bin %> profiles list'];

  async run(): Promise<undefined> {
    await this.parse(ProfilesList);
    const config = readUserConfig(this.world);
    const data = Object.entries(config.profiles).map(([name, { base_url, api_key }]) => ({
      name,
      base_url,
      mode: api_key.startsWith('sk_live_') ? 'live' : 'test',
      in_use: name === config.profile,
    }));
    this.output.result({ data }, () => {
      if (data.length === 0) return ['No profiles. Run nameplate login to create one.'];
      return this.output.table(data, [
        { name: 'profile', value: (row) => row.name, shrinks: true },
        { name: 'mode', value: (row) => row.mode },
        { name: 'server', value: (row) => row.base_url, shrinks: true },
        { name: 'in use', value: (row) => (row.in_use ? 'yes' : '') },
      ]);
    });
  }
}

export class ProfilesRemove extends BaseCommand {
  static override description =
    'Removes profiles with their stored keys. The keys themselves stay valid; use keys revoke to end one.';
  static override examples = [
    '<%= config.bin %> profiles remove staging --yes',
    '<%= config.bin %> profiles rm staging old',
  ];
  static override args = {
    name: stringArg({ description: 'Names of the profiles', required: true, multiple: true }),
  };
  static override flags = yesFlag;

  async run(): Promise<number | undefined> {
    const { args, flags } = await this.parse(ProfilesRemove);
    const config = readUserConfig(this.world);
    // Checks all names first, so that a mistyped name is reported before any profile is removed.
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

export class ProfilesUse extends BaseCommand {
  static override description = 'Chooses the profile that commands use by default.';
  static override examples = ['<%= config.bin %> profiles use production'];
  static override args = { name: stringArg({ description: 'Name of the profile', required: true }) };

  async run(): Promise<undefined> {
    const { args } = await this.parse(ProfilesUse);
    let baseUrl = '';
    await changeUserConfig(this.world, (config) => {
      baseUrl = profileNamed(args.name, config).base_url;
      return { ...config, profile: args.name };
    });
    this.output.result({ profile: args.name, base_url: baseUrl }, () => [
      `Commands now use "${plainText(args.name)}" (${baseUrl}).`,
    ]);
  }
}

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
      withKey === '-'
        ? await readStreamText(this.world.stdin)
        : await askSecret(`API key for ${baseUrl}: `, this.world);
    const key = text.trim();
    if (/^sk_(live|test)_[0-9A-Za-z]+$/.test(key)) return key;
    throw new CliError('no_api_key', 'That is not an API key.', {
      fix: 'Keys start with sk_live_ or sk_test_.',
    });
  }

  /** Returns the app that the key belongs to. @throws ApiError `unauthorized` with a fix for a key that was just typed. */
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
