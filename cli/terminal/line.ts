import type { Output, Style } from '../output/output.ts';

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
