import { cutText, textWidth } from '../../output/table.ts';

/** A text in exactly so many columns: cut with an ellipsis, or filled with spaces. */
export function fitText(text: string, width: number): string {
  const cut = cutText(text, width);
  return cut + ' '.repeat(Math.max(0, width - textWidth(cut)));
}

/** Lines of at most so many columns that hold all of a text, broken anywhere. */
export function brokenText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const character of text) {
    if (textWidth(line + character) > width) {
      lines.push(line);
      line = '';
    }
    line += character;
  }
  return [...lines, line];
}
