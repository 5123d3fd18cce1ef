/**
 * Control characters, format characters and line ends. They could control a terminal, or reorder or hide text. Removing them also splits
 * emoji that are made with joiners.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Formats an untrusted value as one line of plain text; null and undefined as `-`. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(/[\t\r\n]+/g, ' ').replace(UNPRINTABLE, '');
}

/** Formats a document as indented JSON, with unprintable characters escaped. */
export function plainJson(document: unknown): string {
  return visibleText(JSON.stringify(document, null, 2));
}

/** Formats a document as JSON on one line, with unprintable characters escaped. */
export function jsonLine(document: unknown): string {
  return visibleText(JSON.stringify(document));
}

/** Replaces unprintable characters with visible escapes. Keeps line ends and tabs. */
export function visibleText(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    character === '\n' || character === '\t' ? character : character.split('').map(escaped).join(''),
  );
}

/**
 * Replaces unprintable characters with visible escapes, but keeps colours. Applied to all output on a terminal. A pipe gets the exact text.
 */
export function forTerminal(text: string): string {
  return text
    .split(COLOUR)
    .map((part, index) => (index % 2 === 0 ? visibleText(part) : part))
    .join('');
}

/** Matches a colour or style sequence: Select Graphic Rendition (ECMA-48 section 8.3.117). */
const COLOUR = new RegExp(`(${String.fromCharCode(0x1b)}\\[[\\d;]*m)`);

/** Returns the JSON escape of one UTF-16 code unit. */
function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Formats an RFC 3339 timestamp for people: to the second, in UTC. */
export function plainTime(timestamp: string | null | undefined): string {
  return plainText(timestamp).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2Z');
}

/** Replaces the secret part of every API key and signing secret in a text with an ellipsis. */
export function withoutSecrets(text: string): string {
  return text.replace(/(sk_(?:live|test)_|whsec_)[A-Za-z0-9+/=_-]+/g, '$1…');
}

/** Quotes words as one line for a POSIX shell. The line is safe to paste into a shell, even if a server chose the words. */
export function shellQuote(words: readonly string[]): string {
  return words
    .map((word) => plainText(word))
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}
