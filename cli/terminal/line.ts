import type { Output, Style } from '../output/output.ts';
import { cutText, textWidth } from '../output/table.ts';

/** A line of the screen. Styles are applied after the text was cut to its width. */
export type Line = readonly Span[];

export interface Span {
  text: string;
  style?: Style;
}

/** Returns the line as text with the control sequences of its styles. */
export function painted(line: Line, paint: Output['paint']): string {
  return line.map(({ text, style }) => (style === undefined ? text : paint(style, text))).join('');
}

export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + textWidth(text), 0);
}

/** Cuts a line to a width. */
export function cutLine(line: Line, columns: number): Line {
  let room = columns;
  return line.flatMap((span) => {
    if (room <= 0) return [];
    const text = cutText(span.text, room);
    room -= textWidth(text);
    return [{ ...span, text }];
  });
}
