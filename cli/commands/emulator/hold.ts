import { string as stringArg } from '@oclif/core/args';
import { string } from '@oclif/core/flags';
import { connectControl } from '../../emulator/emulator-control.ts';
import { plainText } from '../../output/plain-text.ts';
import { BaseCommand } from '../../runtime/base-command.ts';

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
