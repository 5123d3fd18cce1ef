import { yesFlag } from '../../arguments/yes-flag.ts';
import { connectControl } from '../../emulator/emulator-control.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { confirm } from '../../runtime/prompt.ts';

export class EmulatorReset extends BaseCommand {
  static override description =
    'Resets the emulator to a fresh account with the same default keys. Deletes all domains, events and emails.';
  static override examples = ['<%= config.bin %> emulator reset --yes'];
  static override flags = yesFlag;

  async run(): Promise<undefined> {
    const { flags } = await this.parse(EmulatorReset);
    const control = await connectControl(flags, this.world);
    await confirm(`Reset the emulator at ${control.baseUrl}?`, flags.yes, this.world);
    await control.request({ method: 'POST', path: '/_emulator/reset', body: {} });
    this.output.result({ base_url: control.baseUrl, reset: true }, () => ['Emulator reset.']);
  }
}
