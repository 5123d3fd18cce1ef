import type { AuditView } from './responses.ts';

const COLUMNS = ['at', 'actor', 'action', 'detail', 'id'] as const;

/** Renders entries of the audit log as CSV (RFC 4180), for spreadsheets: no cell can be read as a formula. */
export function auditCsv(entries: readonly AuditView[]): string {
  const rows = entries.map((entry) => COLUMNS.map((column) => cell(entry[column] ?? '')));
  return [COLUMNS, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

/** Quotes a cell. A leading quote mark keeps spreadsheets from evaluating a text that begins like a formula. */
function cell(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
