/** Formats one cell of a CSV file (RFC 4180). Null becomes an empty cell. */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  const text = String(value);
  // Spreadsheets treat text as a formula if it begins with one of these characters.
  const safe = /^[=+\-@\t\r]/.test(text) && typeof value !== 'number' ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
