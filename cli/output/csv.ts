import { csvCell } from '../../shared/core/text/csv-cell.ts';
import { plainTime } from './plain-text.ts';
import type { TableColumn } from './table.ts';

/** Formats rows as CSV (RFC 4180) with a header line. An empty cell means null. */
export function csvLines<T>(rows: readonly T[], columns: readonly TableColumn<T>[]): string[] {
  const head = columns.map(({ name }) => cell(name));
  const body = rows.map((row) =>
    columns.map(({ value, isTime }) => cell(isTime ? csvTime(value(row)) : value(row))),
  );
  return [head, ...body].map((cells) => cells.join(','));
}

function csvTime(value: unknown): string | null {
  return typeof value === 'string' ? plainTime(value) : null;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return csvCell(
    typeof value === 'number' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value),
  );
}
