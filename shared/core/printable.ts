/**
 * Text from outside as it may stand in a message: at most `chars_max` characters, and everything but letters, digits
 * and printable ASCII escaped, so that it can neither flood a log nor reorder or forge a line.
 */
export function printable(text: string, chars_max = 80): string {
  const cut = text.length > chars_max ? `${text.slice(0, chars_max)}...` : text;
  return cut.replace(/[^\x20-\x7e\p{L}\p{N}]/gu, escaped);
}

/** `printable` between double quotes; quotes and backslashes within are escaped too. */
export function quoted(text: string, chars_max = 80): string {
  const cut = text.length > chars_max ? `${text.slice(0, chars_max)}...` : text;
  return `"${cut.replace(/["\\]|[^\x20-\x7e\p{L}\p{N}]/gu, escaped)}"`;
}

function escaped(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
