/**
 * Text from outside as it may stand in a message: at most `chars_max` characters, and everything but letters, digits
 * and printable ASCII escaped, so that it can neither flood a log nor reorder or forge a line.
 */
export function printable(text: string, chars_max = 80): string {
  const cut = text.length > chars_max ? `${text.slice(0, chars_max)}...` : text;
  return cut.replace(/[^\x20-\x7e\p{L}\p{N}]/gu, escaped);
}

/** The items that a list in a message names; the others are only counted. */
export const LISTED_MAX = 10;

/** Returns the first ten names, printable, and the count of the others. */
export function shortList(names: readonly string[]): string {
  const listed = names.slice(0, LISTED_MAX).map((name) => printable(name, 60));
  const others = names.length - listed.length;
  return `${listed.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

/** `printable` between double quotes; quotes and backslashes within are escaped too. */
export function quoted(text: string, chars_max = 80): string {
  const cut = text.length > chars_max ? `${text.slice(0, chars_max)}...` : text;
  return `"${cut.replace(/["\\]|[^\x20-\x7e\p{L}\p{N}]/gu, escaped)}"`;
}

/** `quoted`, without the user name and password that someone pasted along: answers, terminals and logs are read by others. */
export function quotedUrl(text: string): string {
  // To the last @: a password may hold any character, and a host has none.
  return quoted(text.replace(/^([a-z][a-z0-9+.-]*:[/\\]+)?.*@/is, '$1***@'));
}

function escaped(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
