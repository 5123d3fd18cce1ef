import { CommandHelp, Help } from '@oclif/core/help';
import type { Output } from '../output/output.ts';
import { wrapText } from '../output/wrap-text.ts';
import { argumentWords } from './argument-words.ts';
import { EXIT_CODES } from './exit-codes.ts';
import type { CliConfig } from './oclif-config.ts';

/** Prints the help of a command or of a group of commands; undefined prints the overview. */
export async function showHelp(
  subject: string | undefined,
  config: CliConfig,
  output: Output,
): Promise<void> {
  if (subject !== undefined) await config.loadClass(subject);
  const help = new CollectedHelp(config, { stripAnsi: true, maxWidth: 100 });
  await help.explain(subject);
  const text = help.text.replace(/\n{3,}/g, '\n\n').trim();
  output.result({ help: text }, () => [
    text,
    ...(subject === undefined
      ? ['', 'Run nameplate COMMAND --help for a command, or nameplate help exit-codes for the exit codes.']
      : []),
  ]);
}

/** Prints the exit codes, for `nameplate help exit-codes`. */
export function showExitCodes(output: Output): void {
  const data = EXIT_CODES.map(({ exit, meaning, codes, statuses }) => ({ exit, meaning, codes, statuses }));
  const rows = EXIT_CODES.flatMap((row) =>
    wrapText(row.meaning, output.width - MEANING_INDENT).map((meaning, at) =>
      at === 0 ? { ...row, meaning } : { exit: '', meaning, codes: [], statuses: [] },
    ),
  );
  output.result({ data }, () =>
    output.table(rows, [
      { name: 'exit', value: (row) => row.exit },
      { name: 'meaning', value: (row) => row.meaning },
      { name: 'http', value: (row) => row.statuses.join(' '), optional: true },
      { name: 'codes', value: (row) => row.codes.join(' '), shrinks: true, optional: true },
    ]),
  );
}

/** The width of the first column, with its gap. */
const MEANING_INDENT = 'exit  '.length;

/** Collects oclif's help text instead of printing it. */
class CollectedHelp extends Help {
  text = '';
  protected override CommandHelpClass = ShortCommandHelp;

  /** Looks the command up by its id, because stock help removes the word "help" from its arguments. */
  explain(id = ''): Promise<void> {
    const command = this.config.findCommand(id);
    const topic = this.config.findTopic(id);
    if (command) return this.showCommandHelp(command);
    return topic ? this.showTopicHelp(topic) : this.showRootHelp();
  }

  /** Overridden because stock help drops a topic that has no topics below it. */
  protected override get sortedTopics() {
    return this.config.topics;
  }

  protected override log(...args: string[]): void {
    this.text += `${args.join(' ')}\n`;
  }
}

/** Leaves the summary out of the description, because it is the first line, and shortens the usage to `[FLAGS]`. */
class ShortCommandHelp extends CommandHelp {
  protected override description(): string | undefined {
    const { description } = this.command;
    return description && this.wrap(this.render(description));
  }

  protected override usage(): string {
    const words = argumentWords(this.command.args);
    const usage = this.command.usage ?? [this.command.id, ...words, '[FLAGS]'].join(' ');
    return this.wrap(
      [usage]
        .flat()
        .map((line) => `$ nameplate ${line}`)
        .join('\n'),
    );
  }
}
