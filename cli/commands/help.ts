import { string } from '@oclif/core/args';
import { nearestWord } from '../../shared/core/text/nearest-word.ts';
import { findCommand, unknownCommand } from '../arguments/find-command.ts';
import { SHELL_SCRIPTS, SHELL_SETUP, SHELLS } from '../complete/shell-scripts.ts';
import { BaseCommand } from '../runtime/base-command.ts';
import { usageError } from '../runtime/cli-error.ts';
import { showExitCodes, showHelp } from '../runtime/help.ts';
import { CliConfig } from '../runtime/oclif-config.ts';

export class HelpCommand extends BaseCommand {
  static override description = 'Explains a command, as --help does, or the exit codes.';
  static override examples = ['<%= config.bin %> help domains add', '<%= config.bin %> help exit-codes'];
  static override strict = false;
  static override usage = 'help [COMMAND | exit-codes]';

  async run(): Promise<undefined> {
    const { argv } = await this.parse(HelpCommand);
    const words = argv.map(String);
    if (words[0] === 'exit-codes') {
      showExitCodes(this.output);
      return;
    }
    if (!(this.config instanceof CliConfig))
      throw usageError('No help is available here.', 'Run nameplate --help.');
    const { id, topic } = findCommand(words, this.config);
    if (words.length > 0 && id === undefined && topic === undefined) {
      if (nearestWord(words.join('-'), ['exit-codes']) === null) throw unknownCommand(words, this.config);
      throw usageError(
        `There is no command "${words.join(' ')}".`,
        'Did you mean nameplate help exit-codes?',
      );
    }
    await showHelp(id ?? topic, this.config, this.output);
  }
}

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
