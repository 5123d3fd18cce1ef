import path from 'node:path';
import { string } from '@oclif/core/args';
import { readSeedFile } from '../../../emulator/seed/read-seed.ts';
import { ApiError } from '../../../shared/client/client-error.ts';
import { connectControl } from '../../emulator/emulator-control.ts';
import { startError } from '../../emulator/emulator-flags.ts';
import { counted } from '../../events/event-words.ts';
import { BaseCommand } from '../../runtime/base-command.ts';

interface SeededApp {
  name: string;
  test_key: string;
  live_key: string;
}

export class EmulatorSeed extends BaseCommand {
  static override description =
    'Applies a seed file (YAML or JSON) to the running emulator: account, apps, domains with their statuses, and events. It applies all of the file or nothing. It keeps everything that the file does not name. Applying the same file again changes nothing.';
  static override examples = ['<%= config.bin %> emulator seed seed.yaml'];
  static override args = { file: string({ description: 'Path of the seed file', required: true }) };

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(EmulatorSeed);
    const control = await connectControl(flags, this.world);
    try {
      const { document, seed, explain } = readSeedFile(path.resolve(this.world.cwd, args.file));
      const { apps } = await control
        .request<{ apps: SeededApp[] }>({ method: 'POST', path: '/_emulator/seed', body: document as object })
        .catch((error: unknown) => {
          throw error instanceof ApiError ? explain(error) : error;
        });
      this.output.result({ file: args.file, apps }, () => [
        `Applied ${args.file}: ${counted(seed.domains?.length ?? 0, 'domain')}, ${counted(seed.events?.length ?? 0, 'event')}.`,
        ...this.output.table(apps, [
          { name: 'app', value: (app) => app.name },
          { name: 'test key', value: (app) => app.test_key },
          { name: 'live key', value: (app) => app.live_key },
        ]),
      ]);
    } catch (error) {
      throw startError(error);
    }
  }
}
