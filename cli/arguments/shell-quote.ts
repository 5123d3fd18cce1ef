import { plainText } from '../output/plain-text.ts';

/** Words as one line that a POSIX shell reads back as the same words: safe to copy whatever a server put into them. */
export function shellQuote(words: readonly string[]): string {
  return words
    .map((word) => plainText(word))
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}
