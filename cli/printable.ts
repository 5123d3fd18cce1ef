/** Control characters of C0 and C1, and the marks that reorder or hide text: what could drive a terminal or deceive a reader. */
const UNPRINTABLE = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;

/** A value from outside as one line of plain text. */
export function printable(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(/[\t\r\n]+/g, ' ').replace(UNPRINTABLE, '');
}

/** JSON for stdout: the same document, with the control characters that JSON allows in strings written as escapes. */
export function printableJson(document: unknown): string {
  return JSON.stringify(document, null, 2).replace(UNPRINTABLE, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** An RFC 3339 timestamp as people read it, to the second, still UTC. */
export function printableTime(timestamp: string | null | undefined): string {
  return printable(timestamp).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2Z');
}

/** Without the secret part of API keys and signing secrets, wherever they stand. */
export function withoutSecrets(text: string): string {
  return text.replace(/(sk_(?:live|test)_|whsec_)[A-Za-z0-9+/=_-]+/g, '$1…');
}
