import { cutText, textWidth } from '../../output/table.ts';

/** Fits a text to an exact width: cuts it with an ellipsis, or pads it with spaces. */
export function fitText(text: string, width: number): string {
  const cut = cutText(text, width);
  return cut + ' '.repeat(Math.max(0, width - textWidth(cut)));
}

/** Breaks a text into lines of at most this width, at any character. */
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
