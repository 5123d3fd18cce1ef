import { boolean } from '@oclif/core/flags';
import { findRunningEmulators, isProcessAlive } from '../../../emulator/registry.ts';
import { NetworkError } from '../../../shared/client/client-error.ts';
import {
  connectControl,
  controlOf,
  type EmulatorControl,
  notRunning,
} from '../../emulator/emulator-control.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { CliError } from '../../runtime/cli-error.ts';

const STOP_TIMEOUT_MS = 10_000;
const POLL_MS = 50;

export class EmulatorStop extends BaseCommand {
  static override description =
    'Stops the emulator of this folder and waits until it has ended. That is the one that was started in this folder or in the nearest folder above it, else the only one. --base-url names another one; --all stops every emulator that emulator list shows.';
  static override examples = [
    '<%= config.bin %> emulator stop',
    '<%= config.bin %> emulator stop --base-url http://127.0.0.1:4500',
    '<%= config.bin %> emulator stop --all',
  ];
  static override flags = {
    all: boolean({ summary: 'Stop all running emulators', exclusive: ['base-url'] }),
  };

  async run(): Promise<undefined> {
    const { flags } = await this.parse(EmulatorStop);
    if (flags.all) return this.#stopAll();
    const control = await connectControl(flags, this.world);
    const stopped = await this.#stop(control);
    this.output.result({ ...stopped, stopped: true }, () => [stoppedLine(control)]);
  }

  async #stopAll(): Promise<undefined> {
    const running = await findRunningEmulators(this.world.env);
    if (running.length === 0) throw notRunning();
    const controls = running.map((emulator) => controlOf(emulator, this.world));
    // Uses `allSettled`, so that one emulator that does not stop does not keep the others running.
    const ends = await Promise.allSettled(controls.map((control) => this.#stop(control)));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    const data = controls.map(({ pid, baseUrl: url }) => ({ pid, url, stopped: true }));
    this.output.result({ data }, () => controls.map(stoppedLine));
  }

  async #stop(control: EmulatorControl): Promise<{ pid?: number; url: string }> {
    await control.request({ method: 'POST', path: '/_emulator/stop', body: {} });
    const { pid, baseUrl: url } = control;
    const endsAt = this.world.elapsedMs() + STOP_TIMEOUT_MS;
    while (pid === null ? await responds(control) : isProcessAlive(pid)) {
      if (this.world.elapsedMs() > endsAt) throw doesNotStop(control);
      await this.world.sleep(POLL_MS);
    }
    return { ...(pid !== null && { pid }), url };
  }
}

function stoppedLine({ baseUrl }: EmulatorControl): string {
  return `Stopped the emulator at ${baseUrl}.`;
}

/** Returns true if the emulator still responds. Used if its process id is unknown, because it may run on another machine. */
async function responds({ request }: EmulatorControl): Promise<boolean> {
  try {
    await request({ method: 'GET', path: '/_emulator/status' });
    return true;
  } catch (error) {
    if (error instanceof NetworkError) return false;
    throw error;
  }
}

function doesNotStop({ pid, baseUrl }: EmulatorControl): CliError {
  const fix = pid === null ? 'End its process.' : `End its process: kill -9 ${pid}`;
  return new CliError('unexpected', `The emulator at ${baseUrl} did not stop.`, { fix });
}
