import { cutText, textWidth } from '../../output/table.ts';
import { wrapText } from '../../output/wrap-text.ts';
import type { Line } from '../../terminal/line.ts';

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

/** Draws the words of a list without rows. */
export function emptyLines(words: string, columns: number): Line[] {
  return wrapText(words, columns - 4).map((text) => [{ text: `  ${text}`, style: 'dim' }]);
}

/** Breaks a line into lines of at most this width, at any character. */
export function brokenLine(line: Line, width: number): Line[] {
  const lines: Line[] = [];
  let current: Line = [];
  let room = width;
  for (const { text, ...rest } of line) {
    for (const [index, part] of partsOf(text, room, width).entries()) {
      if (index > 0) {
        lines.push(current);
        current = [];
        room = width;
      }
      current = [...current, { text: part, ...rest }];
      room -= textWidth(part);
    }
  }
  return [...lines, current];
}

/** Breaks a text into a first part that fits the room that is left, and others that fit a whole line. */
function partsOf(text: string, room: number, width: number): string[] {
  if (textWidth(text) <= room) return [text];
  let first = '';
  for (const character of text) {
    if (textWidth(first + character) > room) break;
    first += character;
  }
  return [first, ...brokenText(text.slice(first.length), width)];
}
