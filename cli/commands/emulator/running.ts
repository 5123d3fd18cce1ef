import { boolean } from '@oclif/core/flags';
import { type FoundEmulator, findRunningEmulators, isProcessAlive } from '../../../emulator/registry.ts';
import { NetworkError } from '../../../shared/client/client-error.ts';
import { chooseEmulator } from '../../emulator/emulator-choice.ts';
import {
  connectControl,
  controlOf,
  type EmulatorControl,
  notRunning,
} from '../../emulator/emulator-control.ts';
import { plainFields } from '../../output/field-lines.ts';
import { plainText, plainTime } from '../../output/plain-text.ts';
import type { TableColumn } from '../../output/table.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { CliError } from '../../runtime/cli-error.ts';
import { openUrl } from '../../runtime/open-url.ts';

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

export class EmulatorList extends BaseCommand {
  static override description =
    'Lists your running emulators on this machine, and marks the one that commands in this folder use. That is the one that was started in this folder or in the nearest folder above it, else the only one. Does not list the emulators of emulator exec.';
  static override examples = ['<%= config.bin %> emulator list', '<%= config.bin %> emulator list --json'];

  async run(): Promise<undefined> {
    await this.parse(EmulatorList);
    const { chosen, running } = await chooseEmulator(this.world);
    const data = running.map((emulator) => presentEmulator(emulator, emulator === chosen));
    this.output.result({ data }, () =>
      data.length === 0
        ? ['No emulator is running. Run nameplate emulator start.']
        : this.output.table(data, COLUMNS),
    );
  }
}

type ListedEmulator = ReturnType<typeof presentEmulator>;

function presentEmulator({ pid, url, edge_url, folder, clock, started_at }: FoundEmulator, isHere: boolean) {
  return { url, edge_url, folder, clock, started_at, pid, is_here: isHere };
}

const COLUMNS: readonly TableColumn<ListedEmulator>[] = [
  { name: 'here', value: ({ is_here }) => (is_here ? '*' : '') },
  { name: 'url', value: ({ url }) => url },
  { name: 'folder', value: ({ folder }) => folder, shrinks: true },
  { name: 'started', value: ({ started_at }) => started_at, isTime: true, optional: true },
  {
    name: 'clock',
    value: ({ clock }) => (clock === null ? 'busy' : `${clock.mode}, ${plainTime(clock.now)}`),
    optional: true,
  },
  { name: 'edge', value: ({ edge_url }) => edge_url, optional: true },
];

export class EmulatorOpen extends BaseCommand {
  static override description =
    "Opens the running emulator's dashboard in your browser, and prints its address. Without a terminal, only prints the address.";
  static override examples = ['<%= config.bin %> emulator open'];

  async run(): Promise<undefined> {
    const { flags } = await this.parse(EmulatorOpen);
    const control = await connectControl(flags, this.world);
    // Check first that the emulator responds, because the browser would only show a connection error.
    await control.request({ method: 'GET', path: '/_emulator/status' });
    const dashboardUrl = `${control.baseUrl}/dashboard`;
    this.output.result({ dashboard_url: dashboardUrl }, () => [plainText(dashboardUrl)]);
    if (this.world.stdout.isTTY && !this.output.json) await openUrl(dashboardUrl);
  }
}

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
    // `allSettled` stops all other emulators if one fails to stop.
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

/** Returns true if the emulator still responds. Used if the user gave its address, because then its process id is unknown. */
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
