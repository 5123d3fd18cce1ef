/** Control and format characters and line ends: what could drive a terminal, or reorder or hide text. An emoji made by joiners falls apart. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A value from outside as one line of plain text. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replace(/[\t\r\n]+/g, ' ').replace(UNPRINTABLE, '');
}

/** JSON for stdout: the same document, with those characters that JSON allows in strings written as escapes. */
export function plainJson(document: unknown): string {
  return JSON.stringify(document, null, 2).replace(UNPRINTABLE, (character) =>
    character === '\n' ? character : character.split('').map(escaped).join(''),
  );
}

/** @param unit a UTF-16 code unit: JSON escapes know nothing longer. */
function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** An RFC 3339 timestamp as people read it, to the second, still UTC. */
export function plainTime(timestamp: string | null | undefined): string {
  return plainText(timestamp).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2Z');
}

/** Without the secret part of API keys and signing secrets, wherever they stand. */
export function withoutSecrets(text: string): string {
  return text.replace(/(sk_(?:live|test)_|whsec_)[A-Za-z0-9+/=_-]+/g, '$1…');
}
