import { string } from '@oclif/core/args';
import { connectControl } from '../../emulator/emulator-control.ts';
import { plainText } from '../../output/plain-text.ts';
import { BaseCommand } from '../../runtime/base-command.ts';

export class EmulatorRelease extends BaseCommand {
  static override description =
    'Releases a held hostname: its domains go back to the status before, unless another hold covers them.';
  static override examples = ['<%= config.bin %> emulator release careers.acme.com'];
  static override args = { hostname: string({ description: 'As it was held', required: true }) };

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(EmulatorRelease);
    const control = await connectControl(flags, this.world);
    const { hostname } = args;
    const answer = await control.request({
      method: 'DELETE',
      path: `/_emulator/holds/${encodeURIComponent(hostname)}`,
    });
    this.output.result(answer ?? { hostname, released: true }, () => [`${plainText(hostname)} is released.`]);
  }
}
