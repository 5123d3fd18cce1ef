import { connectControl } from '../../emulator/emulator-control.ts';
import { plainFields } from '../../output/plain-fields.ts';
import { BaseCommand } from '../../runtime/base-command.ts';

export class EmulatorStatus extends BaseCommand {
  static override description =
    'Shows the addresses, the clock, the keys and the contents of the emulator of this folder.';
  static override examples = [
    '<%= config.bin %> emulator status',
    '<%= config.bin %> emulator status --json',
  ];

  async run(): Promise<undefined> {
    const { flags } = await this.parse(EmulatorStatus);
    const control = await connectControl(flags, this.world);
    const status = await control.request({ method: 'GET', path: '/_emulator/status' });
    this.output.result(status, () => this.output.fields(plainFields(status)));
  }
}
