import type { Token } from 'marked';

/** Returns the text of Markdown tokens without markup, on one line. */
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

/** Builds a markdown table. Escapes `|`, which would end a cell. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Returns the id of a heading, as common Markdown viewers derive it. */
export function anchorOf(title: string): string {
  const words = title.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '');
  return words.trim().replace(/\s/g, '-');
}

/**
 * Creates a function that returns an id for each heading of a page, called in the order of the headings. The id of a repeated title ends
 * with a number.
 */
export function createAnchors(): (title: string) => string {
  const counts = new Map<string, number>();
  return (title) => {
    const id = anchorOf(title);
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
}
