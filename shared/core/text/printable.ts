import type { FieldProblem } from '../errors.ts';

/**
 * Makes untrusted text safe for a message. Shortens it to `chars_max` characters, and escapes everything but letters, digits and printable
 * ASCII. So the text cannot flood a log, and cannot reorder or forge a line.
 */
export function printable(text: string, charsMax = 80): string {
  const cut = text.length > charsMax ? `${text.slice(0, charsMax)}...` : text;
  return cut.replace(/[^\x20-\x7e\p{L}\p{N}]/gu, escaped);
}

/** Maximum number of items that a list in a message names. The message only counts the other items. */
export const LISTED_MAX = 10;

/** Returns a list of the first ten names, made printable, and the number of further names. */
export function shortList(names: readonly string[]): string {
  const listed = names.slice(0, LISTED_MAX).map((name) => printable(name, 60));
  const others = names.length - listed.length;
  return `${listed.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

/** Returns `printable` text in double quotes, with quotes and backslashes escaped. */
export function quoted(text: string, charsMax = 80): string {
  const cut = text.length > charsMax ? `${text.slice(0, charsMax)}...` : text;
  return `"${cut.replace(/["\\]|[^\x20-\x7e\p{L}\p{N}]/gu, escaped)}"`;
}

/** Returns a `quoted` URL without its user name and password, because other people read responses, terminals and logs. */
export function quotedUrl(text: string): string {
  // Everything up to the last @ is removed: a password may contain any character, and a host contains no @.
  return quoted(text.replace(/^([a-z][a-z0-9+.-]*:[/\\]+)?.*@/is, '$1***@'));
}

function escaped(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/**
 * Maximum nesting of JSON values. The strictest common JSON parsers have the same limit, and a recursive function would overflow the stack
 * at some thousands of levels.
 */
const DEPTH_MAX = 64;

/** Returns why Postgres cannot store a text: it contains U+0000 or a lone surrogate. Returns null if Postgres can. */
export function textProblem(text: string): string | null {
  if (text.includes('\0')) return 'must not hold the character U+0000';
  return text.isWellFormed() ? null : 'must not hold a lone surrogate';
}

/**
 * Lists the parts of a JSON value that cannot be stored: texts and keys that Postgres refuses, and values nested more than 64 levels deep.
 * Every body, query, seed and import is checked with this function.
 */
export function unstorable(value: unknown, path: readonly string[] = [], levels = DEPTH_MAX): FieldProblem[] {
  if (typeof value === 'string') {
    const message = textProblem(value);
    return message === null ? [] : [{ path: path.join('.'), message }];
  }
  if (typeof value !== 'object' || value === null) return [];
  if (levels === 0) return [{ path: path[0] ?? '', message: 'is nested too deeply' }];
  return Object.entries(value).flatMap(([key, each]) => [
    ...(textProblem(key) === null ? [] : unstorable(key, path)),
    ...unstorable(each, [...path, key], levels - 1),
  ]);
}

/** Formats one cell of a CSV file (RFC 4180). Null becomes an empty cell. */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  const text = String(value);
  // Spreadsheets treat text as a formula if it begins with one of these characters.
  const safe = /^[=+\-@\t\r]/.test(text) && typeof value !== 'number' ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
