import { isAlive } from '../../../emulator/state-file.ts';
import { NetworkError } from '../../../shared/client/client-error.ts';
import { BaseCommand } from '../../base-command.ts';
import { CliError } from '../../cli-error.ts';
import { type Control, connectControl } from '../../emulator-control.ts';

const STOP_TIMEOUT_MS = 10_000;
const POLL_MS = 50;

export class EmulatorStop extends BaseCommand {
  static override description =
    'Asks the running emulator to end, and waits until it has: the one that was started last, or the one at --base-url.';
  static override examples = [
    '<%= config.bin %> emulator stop',
    '<%= config.bin %> emulator stop --base-url http://127.0.0.1:4500',
  ];

  async run(): Promise<undefined> {
    const { flags } = await this.parse(EmulatorStop);
    const control = await connectControl(flags, this.world);
    await control.request({ method: 'POST', path: '/_emulator/stop', body: {} });
    const { pid, base_url: url } = control;
    const ends_at = this.world.elapsed_ms() + STOP_TIMEOUT_MS;
    while (pid === null ? await answers(control) : isAlive(pid)) {
      if (this.world.elapsed_ms() > ends_at) throw doesNotEnd(control);
      await this.world.sleep(POLL_MS);
    }
    this.output.result({ ...(pid !== null && { pid }), url, stopped: true }, () => [
      `Stopped the emulator at ${url}.`,
    ]);
  }
}

/** The process of one that was found by its address may be anybody's, on another machine too: only its address tells. */
async function answers({ request }: Control): Promise<boolean> {
  try {
    await request({ method: 'GET', path: '/_emulator/status' });
    return true;
  } catch (error) {
    if (error instanceof NetworkError) return false;
    throw error;
  }
}

function doesNotEnd({ pid, base_url }: Control): CliError {
  const fix = pid === null ? 'End its process.' : `End it by its id: kill -9 ${pid}`;
  return new CliError('unexpected', `The emulator at ${base_url} does not end.`, { fix });
}
