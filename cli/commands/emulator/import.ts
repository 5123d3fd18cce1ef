import { readFileSync } from 'node:fs';
import path from 'node:path';
import { string } from '@oclif/core/args';
import { yesFlag } from '../../arguments/yes-flag.ts';
import { connectControl } from '../../emulator/emulator-control.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { usageError } from '../../runtime/cli-error.ts';
import { confirm } from '../../runtime/prompt.ts';

export class EmulatorImport extends BaseCommand {
  static override description =
    "Replaces the emulator's whole state, including its clock, with a file from emulator export. It imports all of the file or nothing.";
  static override examples = ['<%= config.bin %> emulator import state.json --yes'];
  static override args = { file: string({ description: 'A file from emulator export', required: true }) };
  static override flags = yesFlag;

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(EmulatorImport);
    const body = readDocument(path.resolve(this.world.cwd, args.file), args.file);
    const control = await connectControl(flags, this.world);
    await confirm(`Replace the whole state of the emulator at ${control.baseUrl}?`, flags.yes, this.world);
    await control.request({ method: 'POST', path: '/_emulator/import', body });
    this.output.result({ file: args.file, imported: true }, () => [`Imported ${args.file}.`]);
  }
}

function readDocument(file: string, name: string): object {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw usageError(`Cannot read ${name}: ${reason}`, 'Name a file from nameplate emulator export.');
  }
}
