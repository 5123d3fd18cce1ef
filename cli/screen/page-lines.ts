import chalk from 'chalk';
import wrapAnsi from 'wrap-ansi';
import { fieldLines } from '../output/field-lines.ts';
import { BAD_MARK, GOOD_MARK } from '../output/marks.ts';
import type { Formatting, Style } from '../output/output.ts';
import { plainTime } from '../output/plain-text.ts';
import { tableLines } from '../output/table.ts';
import { wrapText } from '../output/wrap-text.ts';

/** Paints a text in the colours of the screen. */
export function paint(style: Style, text: string): string {
  return chalk[style](text);
}

/** Paints an outcome, with its mark. */
export function paintOutcome(isGood: boolean, text: string): string {
  const { mark, style } = isGood ? GOOD_MARK : BAD_MARK;
  return paint(style, `${mark} ${text}`);
}

/**
 * Formats a page with the functions by which other commands format their output. Returns lines that fit the width, broken at any character.
 */
export function pageLines(columns: number, view: (output: Formatting) => string[]): string[] {
  const output: Formatting = {
    width: columns,
    paint,
    table(rows, shown) {
      return tableLines(rows, shown, columns, { quiet: (text) => paint('dim', text) }).lines;
    },
    time: plainTime,
    prose: (text) => wrapText(text, columns),
    fields: (pairs) => fieldLines(pairs, { width: columns, paint }),
  };
  return view(output).flatMap((line) => wrapAnsi(line, columns, { hard: true, trim: false }).split('\n'));
}
