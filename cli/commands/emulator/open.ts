import { connectControl } from '../../emulator/emulator-control.ts';
import { plainText } from '../../output/plain-text.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { openUrl } from '../../runtime/open-url.ts';

export class EmulatorOpen extends BaseCommand {
  static override description =
    "Opens the running emulator's dashboard in your browser, and prints its address. Without a terminal, only prints the address.";
  static override examples = ['<%= config.bin %> emulator open'];

  async run(): Promise<undefined> {
    const { flags } = await this.parse(EmulatorOpen);
    const control = await connectControl(flags, this.world);
    // Check that the emulator responds. The browser would only show a connection error.
    await control.request({ method: 'GET', path: '/_emulator/status' });
    const dashboardUrl = `${control.baseUrl}/dashboard`;
    this.output.result({ dashboard_url: dashboardUrl }, () => [plainText(dashboardUrl)]);
    if (this.world.stdout.isTTY && !this.output.json) await openUrl(dashboardUrl);
  }
}
