/** Returns every value of one header, in order. @param raw_headers names and values, alternating, as in Node's `rawHeaders`. */
export function headerValues(raw_headers: readonly string[], name: string): string[] {
  const lower = name.toLowerCase();
  const values: string[] = [];
  for (let i = 0; i + 1 < raw_headers.length; i += 2) {
    const each = raw_headers[i] ?? '';
    if (each.length === lower.length && each.toLowerCase() === lower) values.push(raw_headers[i + 1] ?? '');
  }
  return values;
}

export function headerPairs(raw_headers: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < raw_headers.length; i += 2) {
    pairs.push([raw_headers[i] ?? '', raw_headers[i + 1] ?? '']);
  }
  return pairs;
}

/** Returns the lines of a header section, each with its CRLF. */
export function headerLines(raw_headers: readonly string[]): string {
  return headerPairs(raw_headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

/** Returns the members of a comma-separated list in lowercase, without empty ones (RFC 9110 section 5.6.1). */
export function listMembers(value: string): string[] {
  return value
    .split(',')
    .map((member) => member.trim().toLowerCase())
    .filter((member) => member !== '');
}

/** Returns whether a text has no control character but the tab, and no character above a byte (RFC 9110 section 5.5). */
export function isPlain(text: string): boolean {
  return !/[^\t\x20-\x7e\x80-\xff]/.test(text);
}
