import { findRunningEmulator, isAlive } from '../../../emulator/state-file.ts';
import { BaseCommand } from '../../base-command.ts';
import { CliError } from '../../cli-error.ts';
import { notRunning } from '../../emulator-control.ts';

const STOP_TIMEOUT_MS = 10_000;
const POLL_MS = 50;

export class EmulatorStop extends BaseCommand {
  static override description =
    'Asks the running emulator to end, and waits until it has. Its address must answer as itself before its process is asked.';
  static override examples = ['<%= config.bin %> emulator stop'];

  async run(): Promise<undefined> {
    await this.parse(EmulatorStop);
    const state = await findRunningEmulator(this.world.env);
    if (state === null) throw notRunning();
    process.kill(state.pid, 'SIGTERM');
    const ends_at = this.world.elapsed_ms() + STOP_TIMEOUT_MS;
    while (isAlive(state.pid)) {
      if (this.world.elapsed_ms() > ends_at) {
        throw new CliError('unexpected', `Process ${state.pid} does not end.`, {
          fix: `End it by its id: kill -9 ${state.pid}`,
        });
      }
      await this.world.sleep(POLL_MS);
    }
    const { pid, url } = state;
    this.output.result({ pid, url, stopped: true }, () => [`Stopped the emulator at ${url}.`]);
  }
}
