import type { Formatting } from './output.ts';
import { plainText } from './plain-text.ts';
import { textWidth } from './table.ts';
import { wrapText } from './wrap-text.ts';

const GAP = '  ';
/**
 * The minimum width of the value column. If the column is narrower, values are not wrapped, because the terminal's own line breaks are
 * easier to read.
 */
const VALUE_WIDTH_MIN = 20;
/** Matches the control characters that begin a text style. A value with a style is not wrapped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: styles start with a control character
const STYLED = /[\u0001\u001b]/;

/** Formats names and values in two columns. Wraps a long value at its spaces, so that it stays in its column. */
export function fieldLines(
  pairs: readonly (readonly [string, string])[],
  { width, paint }: Pick<Formatting, 'width' | 'paint'>,
): string[] {
  const nameWidth = Math.max(0, ...pairs.map(([name]) => textWidth(name)));
  const room = width - nameWidth - GAP.length;
  return pairs.flatMap(([name, value]) => {
    const lines = STYLED.test(value) || room < VALUE_WIDTH_MIN ? [value] : wrapText(value, room);
    return lines.map((line, index) => {
      const start = index === 0 ? paint('dim', name.padEnd(nameWidth)) : ' '.repeat(nameWidth);
      return `${start}${GAP}${line}`;
    });
  });
}

/** Flattens a document into names and values. Joins the names of nested fields with dots, such as `clock.mode`. */
export function plainFields(document: unknown, prefix = ''): [string, string][] {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    return [[prefix, plainText(document)]];
  }
  return Object.entries(document).flatMap(([name, value]) =>
    plainFields(value, prefix === '' ? plainText(name) : `${prefix}.${plainText(name)}`),
  );
}
