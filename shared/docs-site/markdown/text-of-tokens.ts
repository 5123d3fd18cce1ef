import type { Token } from 'marked';

/** Returns the words of Markdown without its marks, on one line. */
export function textOfTokens(tokens: readonly Token[]): string {
  return tokens.map(wordsOf).join('').replace(/\s+/g, ' ').trim();
}

// biome-ignore lint/suspicious/noExplicitAny: which fields a token has depends on its type
function wordsOf(token: any): string {
  if (token.type === 'html' || token.type === 'br' || token.type === 'space') return ' ';
  if (token.type === 'table') return [...token.header, ...token.rows.flat()].map(wordsOf).join(' ');
  if (token.type === 'list') return token.items.map(wordsOf).join(' ');
  if (!Array.isArray(token.tokens)) return String(token.text ?? ' ');
  const words = token.tokens.map(wordsOf).join('');
  return BLOCKS.includes(token.type) ? `${words} ` : words;
}

const BLOCKS = ['paragraph', 'heading', 'list_item', 'blockquote'];
