import { string } from '@oclif/core/args';
import { connectControl } from '../../emulator/emulator-control.ts';
import { plainText } from '../../output/plain-text.ts';
import { BaseCommand } from '../../runtime/base-command.ts';

export class EmulatorRelease extends BaseCommand {
  static override description =
    'Releases a held hostname. Its domains return to their previous status, unless another hold covers them.';
  static override examples = ['<%= config.bin %> emulator release careers.acme.com'];
  static override args = {
    hostname: string({ description: 'The hostname or *.name that was held', required: true }),
  };

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(EmulatorRelease);
    const control = await connectControl(flags, this.world);
    const { hostname } = args;
    const response = await control.request({
      method: 'DELETE',
      path: `/_emulator/holds/${encodeURIComponent(hostname)}`,
    });
    this.output.result(response ?? { hostname, released: true }, () => [
      `${plainText(hostname)} is released.`,
    ]);
  }
}
