import { plainText, plainTime } from './plain-text.ts';

/**
 * A column of a table that adapts to the terminal's width. If the table is too wide, columns first shrink to a readable width. Then
 * optional columns are left out from the right. Then columns shrink further.
 */
export interface TableColumn<T> {
  name: string;
  value: (row: T) => unknown;
  /** True if the column may shrink. Text that does not fit is cut with an ellipsis. */
  shrinks?: boolean;
  /** True if the column may be left out of a narrow table. */
  optional?: boolean;
  /** True if the values are RFC 3339 times. A terminal shows the distance from now, such as `in 2h`. Other outputs show the times. */
  isTime?: boolean;
  style?: (text: string, row: T) => string;
}

interface TableLook {
  /** Formats the values of columns with `isTime`. */
  time?: (value: unknown) => string;
  /** Styles the names of the columns, and times. */
  quiet: (text: string) => string;
}

const GAP = '  ';
/** A column shrinks to this width before optional columns are left out. It is wide enough for most hostnames. */
const READABLE_WIDTH = 24;
const SHRUNK_WIDTH_MIN = 12;

/**
 * Formats a table, and returns the names of the columns that did not fit.
 * @param width the terminal's width in columns; with Infinity, nothing is cut.
 */
export function tableLines<T>(
  rows: readonly T[],
  columns: readonly TableColumn<T>[],
  width: number,
  { time = (value) => plainTime(plainText(value)), quiet }: TableLook,
): { lines: string[]; leftOut: string[] } {
  const text = ({ value, isTime }: TableColumn<T>, row: T) =>
    isTime ? time(value(row)) : plainText(value(row));
  const cells = rows.map((row) => new Map(columns.map((column) => [column, text(column, row)])));
  const { shown, widths } = layOut(columns, cells, width);

  const painted = (column: TableColumn<T> | undefined, text: string, row: T) =>
    column?.style?.(text, row) ?? (column?.isTime ? quiet(text) : text);
  const line = (texts: string[], styled: (text: string, index: number) => string) =>
    texts
      .map((text, index) => {
        const cell = cutText(text, widths[index] ?? 0);
        const pad = index === texts.length - 1 ? 0 : (widths[index] ?? 0) - textWidth(cell);
        return styled(cell, index) + ' '.repeat(pad);
      })
      .join(GAP)
      .trimEnd();

  const head = line(
    shown.map(({ name }) => name.toUpperCase()),
    quiet,
  );
  const body = rows.map((row, at) =>
    line(
      shown.map((column) => cells[at]?.get(column) ?? ''),
      (text, index) => painted(shown[index], text, row),
    ),
  );
  const leftOut = columns.filter((column) => !shown.includes(column)).map(({ name }) => name);
  return { lines: [head, ...body], leftOut };
}

function layOut<T>(columns: readonly TableColumn<T>[], cells: Map<TableColumn<T>, string>[], width: number) {
  let shown = [...columns];
  for (;;) {
    const widths = shown.map((column) =>
      Math.max(textWidth(column.name), ...cells.map((row) => textWidth(row.get(column) ?? ''))),
    );
    const lastOptional = shown.findLast(({ optional }) => optional);
    shrink(shown, widths, width, lastOptional === undefined ? SHRUNK_WIDTH_MIN : READABLE_WIDTH);
    if (total(widths) <= width || lastOptional === undefined) return { shown, widths };
    shown = shown.filter((column) => column !== lastOptional);
  }
}

/** Narrows the widest shrinkable column by one, and repeats until the row fits or no column can shrink further. */
function shrink<T>(columns: readonly TableColumn<T>[], widths: number[], width: number, min: number): void {
  for (let over = total(widths) - width; over > 0; over--) {
    let widest = -1;
    columns.forEach((column, index) => {
      const canGive = column.shrinks && (widths[index] ?? 0) > min;
      if (canGive && (widths[index] ?? 0) > (widths[widest] ?? 0)) widest = index;
    });
    const current = widths[widest];
    if (current === undefined) return;
    widths[widest] = current - 1;
  }
}

function total(widths: number[]): number {
  return widths.reduce((sum, one) => sum + one, 0) + GAP.length * Math.max(0, widths.length - 1);
}

/** Cuts text to a width in terminal columns, with an ellipsis if anything is cut. */
export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = '';
  for (const character of text) {
    if (textWidth(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Returns the width of a text in terminal columns (UAX #11: wide characters take two, combining marks none). */
export function textWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}
