import { plainText } from './plain-text.ts';
import type { Column } from './table.ts';

/** Formats rows as CSV (RFC 4180) with a header line. An empty cell means null. */
export function csvLines<T>(rows: readonly T[], columns: readonly Column<T>[]): string[] {
  const head = columns.map(({ name }) => cell(name));
  const body = rows.map((row) => columns.map((column) => cell(column.value(row))));
  return [head, ...body].map((cells) => cells.join(','));
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = plainText(value);
  // A spreadsheet would evaluate text that begins with one of these characters as a formula.
  const safe = /^[=+\-@]/.test(text) && typeof value !== 'number' ? `'${text}` : text;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
