import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { string } from '@oclif/core/args';
import { readJsonInput } from '../../arguments/read-values.ts';
import { connectControl } from '../../emulator/emulator-control.ts';
import { BaseCommand } from '../../runtime/base-command.ts';
import { CliError, usageError } from '../../runtime/cli-error.ts';
import { confirm, yesFlag } from '../../runtime/prompt.ts';

export class EmulatorExport extends BaseCommand {
  static override description =
    "Exports the emulator's whole state, including its clock and its secrets, as one JSON document. It goes to a file that only its owner can read, or to stdout.";
  static override examples = [
    '<%= config.bin %> emulator export state.json',
    '<%= config.bin %> emulator export > state.json',
  ];
  static override args = { file: string({ description: 'File to write (default: stdout)' }) };

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(EmulatorExport);
    const control = await connectControl(flags, this.world);
    const state = await control.request({ method: 'GET', path: '/_emulator/export' });
    const text = `${JSON.stringify(state)}\n`;
    if (args.file === undefined) {
      this.output.result(state, () => [text.trimEnd()]);
      return;
    }
    writeFileSync(path.resolve(this.world.cwd, args.file), text, { mode: 0o600 });
    this.output.result({ file: args.file }, () => [`Wrote ${args.file}.`]);
  }
}

export class EmulatorImport extends BaseCommand {
  static override description =
    "Replaces the emulator's whole state, including its clock, with a file from emulator export. It imports all of the file or nothing.";
  static override examples = ['<%= config.bin %> emulator import state.json --yes'];
  static override args = { file: string({ description: 'A file from emulator export', required: true }) };
  static override flags = yesFlag;

  async run(): Promise<undefined> {
    const { args, flags } = await this.parse(EmulatorImport);
    const fix = 'Name a file from nameplate emulator export.';
    const body = await readJsonInput(args.file, this.world, fix).catch((error: unknown) => {
      if (error instanceof CliError) throw error;
      throw usageError(`Cannot read ${args.file}: ${error instanceof Error ? error.message : error}`, fix);
    });
    const control = await connectControl(flags, this.world);
    await confirm(`Replace the whole state of the emulator at ${control.baseUrl}?`, flags.yes, this.world);
    await control.request({ method: 'POST', path: '/_emulator/import', body: body as object });
    this.output.result({ file: args.file, imported: true }, () => [`Imported ${args.file}.`]);
  }
}

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
