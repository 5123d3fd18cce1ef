import { csvCell } from '../core/text/csv-cell.ts';
import type { AuditView } from './responses.ts';

const COLUMNS = ['at', 'actor', 'action', 'detail', 'id'] as const;

/** Renders entries of the audit log as CSV (RFC 4180), for spreadsheets: no cell can be read as a formula. */
export function auditCsv(entries: readonly AuditView[]): string {
  const rows = entries.map((entry) => COLUMNS.map((column) => csvCell(entry[column])));
  return [COLUMNS, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}
