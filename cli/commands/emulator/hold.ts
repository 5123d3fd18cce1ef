import { string as stringArg } from '@oclif/core/args';
import { string } from '@oclif/core/flags';
import { connectControl } from '../../emulator/emulator-control.ts';
import { plainText } from '../../output/plain-text.ts';
import { BaseCommand } from '../../runtime/base-command.ts';

export class EmulatorHold extends BaseCommand {
  static override description =
    'Holds a hostname for review. Its domains become held, and new ones are refused. *.name holds every hostname below name.';
  static override examples = ['<%= config.bin %> emulator hold careers.acme.com --reason phishing'];
  static override args = { hostname: stringArg({ description: 'A hostname, or *.name', required: true }) };
  static override flags = { reason: string({ summary: 'Reason for the hold' }) };

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(EmulatorHold);
    const control = await connectControl(flags, this.world);
    const { hostname } = args;
    const body = { hostname, ...(flags.reason !== undefined && { reason: flags.reason }) };
    const response = await control.request({ method: 'POST', path: '/_emulator/holds', body });
    this.output.result(response ?? { hostname, held: true }, () => [`${plainText(hostname)} is held.`]);
  }
}
