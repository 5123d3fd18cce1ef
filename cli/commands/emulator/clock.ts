import { string } from '@oclif/core/flags';
import { connectControl } from '../../emulator/emulator-control.ts';
import { plainFields } from '../../output/plain-fields.ts';
import { BaseCommand } from '../../runtime/base-command.ts';

export class EmulatorClock extends BaseCommand {
  static override description =
    "Shows the emulator's clock, or changes its mode. real runs with this machine's clock, auto jumps to the next due work, frozen stands still until you move it.";
  static override examples = [
    '<%= config.bin %> emulator clock',
    '<%= config.bin %> emulator clock --mode frozen',
    '<%= config.bin %> emulator clock advance 72h',
  ];
  static override flags = {
    mode: string({ summary: 'Change the mode', options: ['real', 'auto', 'frozen'] }),
  };

  async run(): Promise<undefined> {
    const { flags } = await this.parse(EmulatorClock);
    const control = await connectControl(flags, this.world);
    const path = '/_emulator/clock';
    const clock =
      flags.mode === undefined
        ? await control.request({ method: 'GET', path })
        : await control.request({ method: 'PATCH', path, body: { mode: flags.mode } });
    this.output.result(clock, () => this.output.fields(plainFields(clock)));
  }
}
