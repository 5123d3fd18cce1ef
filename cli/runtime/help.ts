import { CommandHelp, Help } from '@oclif/core/help';
import type { Output } from '../output/output.ts';
import { wrapText } from '../output/wrap-text.ts';
import { EXIT_CODES } from './exit-codes.ts';
import type { CliConfig } from './oclif-config.ts';

/** Explains a command, a topic of commands, or everything (undefined). */
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
      ? ['', 'nameplate COMMAND --help explains a command, nameplate help exit-codes the exit codes.']
      : []),
  ]);
}

/** `help exit-codes`. */
export function showExitCodes(output: Output): void {
  const data = EXIT_CODES.map(({ exit, meaning, codes, statuses }) => ({ exit, meaning, codes, statuses }));
  const rows = EXIT_CODES.flatMap((row) =>
    wrapText(row.meaning, output.width - MEANING_FROM).map((meaning, at) =>
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

/** What stands before a meaning: a code and a gap. */
const MEANING_FROM = 'exit  '.length;

/** oclif's help, kept instead of printed. */
class CollectedHelp extends Help {
  text = '';
  protected override CommandHelpClass = ShortCommandHelp;

  /** By its id, since stock help takes the word "help" out of what it is asked. */
  explain(id = ''): Promise<void> {
    const command = this.config.findCommand(id);
    const topic = this.config.findTopic(id);
    if (command) return this.showCommandHelp(command);
    return topic ? this.showTopicHelp(topic) : this.showRootHelp();
  }

  /** Stock help drops a topic that has no topic inside. */
  protected override get sortedTopics() {
    return this.config.topics;
  }

  protected override log(...args: string[]): void {
    this.text += `${args.join(' ')}\n`;
  }
}

/** The summary stands at the top already, and flags that every command has need not be in its usage. */
class ShortCommandHelp extends CommandHelp {
  protected override description(): string | undefined {
    const { description } = this.command;
    return description && this.wrap(this.render(description));
  }

  protected override usage(): string {
    const named = Object.values(this.command.args).map(({ name, required }) =>
      required ? name.toUpperCase() : `[${name.toUpperCase()}]`,
    );
    const usage = this.command.usage ?? [this.command.id, ...named, '[FLAGS]'].join(' ');
    return this.wrap(
      [usage]
        .flat()
        .map((line) => `$ nameplate ${line}`)
        .join('\n'),
    );
  }
}
