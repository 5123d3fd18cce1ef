import { string } from '@oclif/core/args';
import { connectControl } from '../../emulator/emulator-control.ts';
import { plainText } from '../../output/plain-text.ts';
import { BaseCommand } from '../../runtime/base-command.ts';

export class EmulatorRelease extends BaseCommand {
  static override description =
    'Releases held hostnames. Their domains return to their previous status, unless another hold covers them.';
  static override examples = ['<%= config.bin %> emulator release careers.acme.com'];
  static override args = {
    hostname: string({
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
