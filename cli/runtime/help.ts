import type { Command } from '@oclif/core/command';
import { Help } from '@oclif/core/help';
import type { Output } from '../output/output.ts';
import { wrapText } from '../output/wrap-text.ts';
import { EXIT_CODES } from './exit-codes.ts';
import type { CliConfig } from './oclif-config.ts';

/** Prints the help of a command or a group of commands. With undefined, prints the overview of all commands. */
export async function showHelp(
  subject: string | undefined,
  config: CliConfig,
  output: Output,
): Promise<void> {
  if (subject !== undefined) await config.loadClass(subject);
  const width = Math.min(output.width, WIDTH_MAX);
  const help = new CollectedHelp(config, {
    stripAnsi: true,
    maxWidth: width,
    hideCommandSummaryInDescription: true,
  });
  await help.explain(subject);
  const collected = help.text.replace(/\n{3,}/g, '\n\n').trim();
  // Wrap the lines without indentation, because oclif's help leaves them unwrapped.
  const text = collected.replace(/^\S.*$/gm, (line) => softWrapped(line, width));
  output.result({ help: text }, () => [text, ...(subject === undefined ? ['', ...output.prose(MORE)] : [])]);
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

const MORE = 'Run nameplate COMMAND --help for a command, or nameplate help exit-codes for the exit codes.';

/** The maximum width of a help line, also on a wider terminal and in a pipe. */
const WIDTH_MAX = 100;

/** The minimum width of the column with descriptions. If the terminal has less space, each description is below its name. */
const COLUMN_MIN = 30;

type Row = readonly (string | undefined)[];

/** Wraps text at spaces, and after each `|` of a list of values such as `a|b|c`. oclif's own help breaks words in two. */
function softWrapped(text: string, width: number): string {
  const wrapped = text.split('\n').flatMap((line) => wrapText(line.replaceAll('|', '| '), width));
  return wrapped.map((line) => line.replaceAll('| ', '|')).join('\n');
}

/**
 * Formats names and descriptions in two columns, or with each description below its name.
 *
 * @param width the width without the list's indentation.
 */
function listed(rows: readonly Row[], width: number): string {
  const names = rows.map(([name = '']) => name.trimEnd());
  const indent = Math.max(...names.map((name) => name.length)) + 2;
  const isNarrow = width - indent < COLUMN_MIN;
  const blocks = rows.map(([, description = ''], index) => {
    const name = names[index] ?? '';
    const lines = softWrapped(description.trim(), width - (isNarrow ? 4 : indent)).split('\n');
    if (isNarrow) return [name.trim(), ...lines.map((line) => `    ${line}`)].join('\n').trimEnd();
    return lines.map((line, at) => `${(at === 0 ? name : '').padEnd(indent)}${line}`.trimEnd()).join('\n');
  });
  return blocks.join('\n');
}

/** The width of the first column of the exit codes, with the gap after it. */
const MEANING_INDENT = 'exit  '.length;

/** oclif's help, which collects the text instead of printing it, and breaks lines only between words. */
class CollectedHelp extends Help {
  text = '';

  /**
   * Shows the help of a command, a topic, or the CLI. Finds the command by its id, because oclif's own `showHelp` removes the word "help"
   * from its arguments.
   */
  explain(subject = ''): Promise<void> {
    const command = this.config.commands.find(({ id }) => id === subject);
    const topic = this.config.topics.find(({ name }) => name === subject);
    if (command) return this.showCommandHelp(command);
    return topic ? this.showTopicHelp(topic) : this.showRootHelp();
  }

  /** Returns all topics, because oclif's help drops a topic that has no topics below it. */
  protected override get sortedTopics() {
    return this.config.topics;
  }

  override wrap(body: string, spacing = this.indentSpacing): string {
    return softWrapped(this.render(body), this.opts.maxWidth - spacing);
  }

  override renderList(rows: Row[], { indentation }: { indentation: number }): string {
    return listed(rows, this.opts.maxWidth - indentation);
  }

  /** Makes the help of a single command also break its lines only between words. */
  protected override getCommandHelpClass(command: Command.Loadable) {
    const { wrap, renderList } = this;
    const help = Object.assign(super.getCommandHelpClass(command), { wrap, renderList });
    // Format the usage here, because oclif breaks its lines before it fills in the template.
    const lines = [command.usage ?? ''].flat().map((usage) => `$ nameplate ${usage}`);
    return Object.assign(help, { usage: () => help.wrap(lines.join('\n')) });
  }

  protected override log(...args: string[]): void {
    this.text += `${args.join(' ')}\n`;
  }
}
