import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { string } from '@oclif/core/args';
import { connectControl } from '../../emulator/emulator-control.ts';
import { BaseCommand } from '../../runtime/base-command.ts';

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
