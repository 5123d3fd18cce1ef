/** Returns every value of one header, in order. @param rawHeaders names and values, alternating, as in Node's `rawHeaders`. */
export function headerValues(rawHeaders: readonly string[], name: string): string[] {
  const lower = name.toLowerCase();
  const values: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const each = rawHeaders[i] ?? '';
    if (each.length === lower.length && each.toLowerCase() === lower) values.push(rawHeaders[i + 1] ?? '');
  }
  return values;
}

export function headerPairs(rawHeaders: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    pairs.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '']);
  }
  return pairs;
}

/** Returns headers as text, one line for each, with CRLF. */
export function headerLines(rawHeaders: readonly string[]): string {
  return headerPairs(rawHeaders)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

/** Returns the members of a comma-separated list in lowercase, without empty members (RFC 9110 section 5.6.1). */
export function listHeaderMembers(value: string): string[] {
  return value
    .split(',')
    .map((member) => member.trim().toLowerCase())
    .filter((member) => member !== '');
}

/** Returns the options of every `Connection` header, in lowercase. */
export function connectionOptions(rawHeaders: readonly string[]): string[] {
  return headerValues(rawHeaders, 'connection').flatMap(listHeaderMembers);
}

/** Returns whether a text contains no control character except the tab, and only characters up to U+00FF (RFC 9110 section 5.5). */
export function isPlain(text: string): boolean {
  return !/[^\t\x20-\x7e\x80-\xff]/.test(text);
}
