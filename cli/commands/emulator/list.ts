import type { FoundEmulator } from '../../../emulator/registry.ts';
import { chooseEmulator } from '../../emulator/emulator-choice.ts';
import { plainTime } from '../../output/plain-text.ts';
import type { TableColumn } from '../../output/table.ts';
import { BaseCommand } from '../../runtime/base-command.ts';

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
