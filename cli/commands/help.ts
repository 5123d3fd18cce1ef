import { nearestWord } from '../../shared/core/text/nearest-word.ts';
import { findCommand, unknownCommand } from '../arguments/find-command.ts';
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
