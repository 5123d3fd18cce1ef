import { boolean, integer, string } from '@oclif/core/flags';
import { connectControl } from '../../emulator/emulator-control.ts';
import { plainFields } from '../../output/plain-fields.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { usageError } from '../../runtime/cli-error.ts';

const share = (summary: string) => string({ summary, helpValue: '<0 to 1>', helpGroup: 'RECEIVERS' });
const apiShare = (summary: string) => string({ summary, helpValue: '<0 to 1>', helpGroup: 'API CLIENTS' });

/** The flags that are numbers of the body, by their place in it. */
const SHARES = ['fail', 'timeout', 'duplicate', 'reorder', 'bad-signature', 'old-signature'] as const;
const API_SHARES = ['rate-limited', 'internal-error', 'slow'] as const;

export class EmulatorChaos extends BaseCommand {
  static override description =
    'Faults on purpose, for receivers of webhooks and for clients of the API: shares of 1, drawn from a seed, so that a run can be repeated. Each call replaces what was before; without flags it shows what is; --off ends it.';
  static override examples = [
    '<%= config.bin %> emulator chaos --preset hostile',
    '<%= config.bin %> emulator chaos --duplicate 0.5 --type domain.active --seed 7',
    '<%= config.bin %> emulator chaos --rate-limited 0.2 --slow 0.1 --api-delay 3s',
    '<%= config.bin %> emulator chaos --off',
  ];
  static override flags = {
    preset: string({ summary: 'A bad day, whole', options: ['hostile'], helpGroup: 'RECEIVERS' }),
    fail: share('Attempts that fail before they are sent'),
    timeout: share('Attempts that arrive, and whose answer comes too late to count'),
    duplicate: share('Attempts that arrive twice'),
    reorder: share("Attempts that let one of another domain pass; a domain's own stay in order"),
    'bad-signature': share('Attempts whose signature is wrong'),
    'old-signature': share('Attempts whose signature is right and ten minutes old'),
    delay: string({ summary: 'Before every attempt', helpValue: '<duration>', helpGroup: 'RECEIVERS' }),
    skew: string({
      summary: 'By how much the time of every signature is off, such as 90s or -10m',
      helpValue: '<duration>',
      helpGroup: 'RECEIVERS',
    }),
    type: string({ summary: 'Only events of this type', multiple: true, helpGroup: 'RECEIVERS' }),
    domain: string({ summary: 'Only of this domain', multiple: true, helpGroup: 'RECEIVERS' }),
    'rate-limited': apiShare('Requests that get 429 with Retry-After'),
    'internal-error': apiShare('Requests that get 500 with a request id'),
    slow: apiShare('Requests that are answered late'),
    'api-delay': string({ summary: 'How late: 1s', helpValue: '<duration>', helpGroup: 'API CLIENTS' }),
    seed: integer({ summary: 'Of the dice: 1', min: 0, max: 0xffff_ffff }),
    off: boolean({ summary: 'End it' }),
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
    if (flags.off && any) throw usageError('--off stands alone.', 'Leave the other flags out.');
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
    throw usageError(`--${name} ${text} is no share.`, 'Give a number from 0 to 1, such as 0.2.');
  return [[name.replaceAll('-', '_'), value]];
}

function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
