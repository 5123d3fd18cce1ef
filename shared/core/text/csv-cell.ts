/** Formats one cell of a CSV file (RFC 4180). Null becomes an empty cell. */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  const text = String(value);
  // A spreadsheet would evaluate text that begins with one of these characters as a formula.
  const safe = /^[=+\-@\t\r]/.test(text) && typeof value !== 'number' ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
