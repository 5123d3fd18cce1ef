import { styleText } from 'node:util';
import type { World } from '../settings/world.ts';
import { plainJson } from './plain-text.ts';
import { type Column, tableLines, textWidth } from './table.ts';
import { wrapText } from './wrap-text.ts';

/** Everything that a command prints: its result on stdout as text or as one JSON document, the rest on stderr. */
export interface Output {
  json: boolean;
  /** Columns of the terminal; Infinity where the result is piped, which is whole. */
  width: number;
  /** The command's result, once: the document, or the lines for a person. */
  result(document: unknown, lines: () => string[]): void;
  /** A line beside the result, on stderr. */
  note(text: string): void;
  table<T>(rows: readonly T[], columns: readonly Column<T>[]): string[];
  /** A sentence in lines that the terminal has room for. */
  prose(text: string): string[];
  /** Names and values under each other. */
  fields(pairs: readonly (readonly [string, string])[]): string[];
  paint(style: Style, text: string): string;
  /** From now on this stands in nothing that is printed, whatever a server sends back. */
  hide(secret: string): void;
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export function createOutput(world: World, options: { json: boolean; color: boolean }): Output {
  const { stdout, stderr } = world;
  const paint = (style: Style, text: string) =>
    options.color ? styleText(style, text, { validateStream: false }) : text;
  const hidden = new Set<string>();
  const clean = (text: string) => [...hidden].reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
  const note = (text: string) => void stderr.write(clean(`${text}\n`));

  return {
    json: options.json,
    width: terminalWidth(world),
    paint,
    note,
    hide: (secret) => void hidden.add(secret),
    result(document, lines) {
      const text = options.json
        ? `${plainJson(document)}\n`
        : lines()
            .map((line) => `${line}\n`)
            .join('');
      stdout.write(clean(text));
    },
    table(rows, columns) {
      const { lines, left_out } = tableLines(rows, columns, terminalWidth(world));
      if (left_out.length > 0) note(paint('dim', `No room for: ${left_out.join(', ')}.`));
      return lines.map((line, index) => (index === 0 ? paint('bold', line) : line));
    },
    prose: (text) => wrapText(text, terminalWidth(world)),
    fields(pairs) {
      const width = Math.max(0, ...pairs.map(([name]) => textWidth(name)));
      return pairs.map(([name, value]) => `${paint('dim', name.padEnd(width))}  ${value}`);
    },
  };
}

/** Colour is for a terminal that has not asked for none (no-color.org). */
export function wantsColor(world: World, argv: readonly string[]): boolean {
  const { NO_COLOR, TERM } = world.env;
  return !NO_COLOR && TERM !== 'dumb' && world.stdout.isTTY === true && !hasFlag(argv, '--no-color');
}

/** Known before the command line is parsed, since its errors are printed the same way. What follows `--` is not ours. */
export function hasFlag(argv: readonly string[], flag: string): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).includes(flag);
}

/** What is piped is whole; what is on a terminal fits it. */
function terminalWidth({ stdout }: World): number {
  return stdout.isTTY ? (stdout.columns ?? 80) : Number.POSITIVE_INFINITY;
}
