import { string } from '@oclif/core/args';
import { yesFlag } from '../../arguments/yes-flag.ts';
import { connectControl } from '../../emulator/emulator-control.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { CliError, usageError } from '../../runtime/cli-error.ts';
import { confirm } from '../../runtime/prompt.ts';
import { readText } from '../../runtime/read-text.ts';
import type { World } from '../../settings/world.ts';

export class EmulatorImport extends BaseCommand {
  static override description =
    "Replaces the emulator's whole state, including its clock, with a file from emulator export. It imports all of the file or nothing.";
  static override examples = ['<%= config.bin %> emulator import state.json --yes'];
  static override args = { file: string({ description: 'A file from emulator export', required: true }) };
  static override flags = yesFlag;

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(EmulatorImport);
    const body = await readDocument(args.file, this.world);
    const control = await connectControl(flags, this.world);
    await confirm(`Replace the whole state of the emulator at ${control.baseUrl}?`, flags.yes, this.world);
    await control.request({ method: 'POST', path: '/_emulator/import', body });
    this.output.result({ file: args.file, imported: true }, () => [`Imported ${args.file}.`]);
  }
}

async function readDocument(file: string, world: World): Promise<object> {
  try {
    return JSON.parse(await readText(file, world));
  } catch (error) {
    if (error instanceof CliError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw usageError(`Cannot read ${file}: ${reason}`, 'Name a file from nameplate emulator export.');
  }
}
