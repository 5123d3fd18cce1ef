import { plainText } from '../output/plain-text.ts';

/** Quotes words as one line for a POSIX shell. The line is safe to copy, even if a server chose the words. */
export function shellQuote(words: readonly string[]): string {
  return words
    .map((word) => plainText(word))
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}
