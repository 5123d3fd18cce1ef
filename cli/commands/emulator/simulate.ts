import { string as stringArg } from '@oclif/core/args';
import { boolean, integer, string } from '@oclif/core/flags';
import { connectControl } from '../../emulator/emulator-control.ts';
import { plainFields } from '../../output/field-lines.ts';
import { plainText } from '../../output/plain-text.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { usageError } from '../../runtime/cli-error.ts';

const share = (summary: string) => string({ summary, helpValue: '<0 to 1>', helpGroup: 'RECEIVERS' });
const apiShare = (summary: string) => string({ summary, helpValue: '<0 to 1>', helpGroup: 'API CLIENTS' });

/** The flags whose value is the share of webhook deliveries that a fault affects, from 0 to 1. */
const SHARES = ['fail', 'timeout', 'duplicate', 'reorder', 'bad-signature', 'old-signature'] as const;
const API_SHARES = ['rate-limited', 'internal-error', 'slow'] as const;

export class EmulatorChaos extends BaseCommand {
  static override description =
    'Injects faults into webhooks and API responses, to test receivers and API clients. A share of 0.2 affects one attempt in five. A seed makes a run repeatable. Each call replaces the previous settings; without flags, the command shows them; --off turns all faults off.';
  static override examples = [
    '<%= config.bin %> emulator chaos --preset hostile',
    '<%= config.bin %> emulator chaos --duplicate 0.5 --type domain.active --seed 7',
    '<%= config.bin %> emulator chaos --rate-limited 0.2 --slow 0.1 --api-delay 3s',
    '<%= config.bin %> emulator chaos --off',
  ];
  static override flags = {
    preset: string({ summary: 'Several faults at once', options: ['hostile'], helpGroup: 'RECEIVERS' }),
    fail: share('Attempts that fail before they are sent'),
    timeout: share('Attempts that arrive, but whose response counts as too late'),
    duplicate: share('Attempts that arrive twice'),
    reorder: share('Attempts delivered after one of another domain; each domain stays in order'),
    'bad-signature': share('Attempts with a wrong signature'),
    'old-signature': share('Attempts with a valid signature that is ten minutes old'),
    delay: string({ summary: 'Delay before every attempt', helpValue: '<duration>', helpGroup: 'RECEIVERS' }),
    skew: string({
      summary: 'Shift the timestamp of every signature, such as 90s or -10m',
      helpValue: '<duration>',
      helpGroup: 'RECEIVERS',
    }),
    type: string({ summary: 'Only events of this type', multiple: true, helpGroup: 'RECEIVERS' }),
    domain: string({ summary: 'Only events of this domain', multiple: true, helpGroup: 'RECEIVERS' }),
    'rate-limited': apiShare('Requests that get a 429 with Retry-After'),
    'internal-error': apiShare('Requests that get a 500 with a request id'),
    slow: apiShare('Requests that get a late response'),
    'api-delay': string({
      summary: 'How late a slow response is (default: 1s)',
      helpValue: '<duration>',
      helpGroup: 'API CLIENTS',
    }),
    seed: integer({ summary: 'Seed of the random choices (default: 1)', min: 0, max: 0xffff_ffff }),
    off: boolean({ summary: 'Turn all faults off' }),
  };

  async run(): Promise<undefined> {
    const { flags } = await this.parse(EmulatorChaos);
    const body = {
      ...given({ preset: flags.preset, delay: flags.delay, skew: flags.skew, seed: flags.seed }),
      ...given({ types: flags.type, domains: flags.domain }),
      ...Object.fromEntries(SHARES.flatMap((name) => shareOf(name, flags[name]))),
    };
    const api = {
      ...Object.fromEntries(API_SHARES.flatMap((name) => shareOf(name, flags[name]))),
      ...given({ delay: flags['api-delay'] }),
    };
    const asked = { ...body, ...(Object.keys(api).length > 0 && { api }) };
    const any = Object.keys(asked).length > 0;
    if (flags.off && any)
      throw usageError('--off cannot be used with other flags.', 'Leave the other flags out.');
    const control = await connectControl(flags, this.world);
    const path = '/_emulator/chaos';
    const now = await (any || flags.off
      ? control.request({ method: 'PUT', path, body: asked })
      : control.request({ method: 'GET', path }));
    this.output.result(now, () => this.output.fields(plainFields(now)));
  }
}

function shareOf(name: string, text: string | undefined): [string, number][] {
  if (text === undefined) return [];
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw usageError(`--${name} must be between 0 and 1, not ${text}.`, `Use a share such as --${name} 0.2.`);
  return [[name.replaceAll('-', '_'), value]];
}

function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

export class EmulatorHold extends BaseCommand {
  static override description =
    'Holds hostnames for review. Their domains become held, and new ones are refused. *.name holds every hostname below name.';
  static override examples = ['<%= config.bin %> emulator hold careers.acme.com --reason phishing'];
  static override args = {
    hostname: stringArg({ description: 'Hostnames, or *.name', required: true, multiple: true }),
  };
  static override flags = { reason: string({ summary: 'Reason for the hold' }) };

  async run(): Promise<number | undefined> {
    const { args, flags } = await this.parse(EmulatorHold);
    const control = await connectControl(flags, this.world);
    const reason = flags.reason !== undefined && { reason: flags.reason };
    return this.forEach(
      args.hostname,
      async (hostname) => {
        const body = { hostname, ...reason };
        const response = await control.request<object | null>({
          method: 'POST',
          path: '/_emulator/holds',
          body,
        });
        return { hostname, held: true, ...response };
      },
      ({ hostname }) => [`${plainText(hostname)} is held.`],
    );
  }
}

export class EmulatorRelease extends BaseCommand {
  static override description =
    'Releases held hostnames. Their domains return to their previous status, unless another hold covers them.';
  static override examples = ['<%= config.bin %> emulator release careers.acme.com'];
  static override args = {
    hostname: stringArg({
      description: 'The hostnames or *.name that were held',
      required: true,
      multiple: true,
    }),
  };

  async run(): Promise<number | undefined> {
    const { args, flags } = await this.parse(EmulatorRelease);
    const control = await connectControl(flags, this.world);
    return this.forEach(
      args.hostname,
      async (hostname) => {
        const path = `/_emulator/holds/${encodeURIComponent(hostname)}`;
        const response = await control.request<object | null>({ method: 'DELETE', path });
        return { hostname, released: true, ...response };
      },
      ({ hostname }) => [`${plainText(hostname)} is released.`],
    );
  }
}
