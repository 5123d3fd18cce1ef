import type { Style } from '../../output/output.ts';

/** A line of the screen. Styles are applied after the text was cut to its width. */
export type Line = readonly Span[];

export interface Span {
  text: string;
  style?: Style;
}
