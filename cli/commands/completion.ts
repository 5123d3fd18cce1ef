import { string } from '@oclif/core/args';
import { SHELL_SCRIPTS, SHELL_SETUP, SHELLS } from '../complete/shell-scripts.ts';
import { BaseCommand } from '../runtime/base-command.ts';

export class Completion extends BaseCommand {
  static override description =
    'Prints a script that completes commands, flags, values, hostnames and ids in your shell. Hostnames and ids are cached for half a minute. On a terminal, the command also prints how to install the script.';
  static override examples = [
    'eval "$(<%= config.bin %> completion bash)"',
    '<%= config.bin %> completion fish > ~/.config/fish/completions/nameplate.fish',
  ];
  static override args = { shell: string({ description: 'Your shell', options: SHELLS, required: true }) };

  async run(): Promise<undefined> {
    const { args } = await this.parse(Completion);
    const shell = SHELLS.find((name) => name === args.shell) ?? 'bash';
    const script = SHELL_SCRIPTS[shell];
    this.output.result({ shell, script }, () => [script]);
    if (this.world.stdout.isTTY) this.output.note(`To install it for every session: ${SHELL_SETUP[shell]}`);
  }
}
