import { marked, type Tokens } from 'marked';
import { escapeHtml } from '../../core/text/markup.ts';
import { anchorOf, textOfTokens } from './text-of-tokens.ts';

/** A term of the glossary. */
export interface Term {
  term: string;
  meaning: string;
}

/** Reads the terms from the tables of the glossary page. */
export function readGlossary(markdown: string): Term[] {
  const tables = marked.lexer(markdown).filter((token): token is Tokens.Table => token.type === 'table');
  return tables.flatMap(({ rows }) =>
    rows.map(([term, meaning]) => ({
      term: textOfTokens(term?.tokens ?? []),
      meaning: textOfTokens(meaning?.tokens ?? []),
    })),
  );
}

/**
 * Creates a function that escapes a text of one page and links the first use of each term to the glossary. An abbreviation, such as CAA,
 * matches only in capitals.
 */
export function createTermLinker(terms: readonly Term[], glossaryHref: string): (text: string) => string {
  const linked = terms.filter(({ term }) => !ORDINARY.has(keyOf(term)));
  if (linked.length === 0) return escapeHtml;
  const unused = new Map(linked.map((each) => [keyOf(each.term), each]));
  const longestFirst = linked.toSorted((a, b) => b.term.length - a.term.length);
  const words = longestFirst.map(({ term }) => term.replace(/[^\w\s-]/g, '\\$&'));
  const any = new RegExp(`(?<![\\w.-])(${words.join('|')})(s?)(?![\\w-]|\\.\\w)`, 'gi');
  return (text) => {
    let made = '';
    let end = 0;
    for (const { 0: whole, 1: word = '', index } of text.matchAll(any)) {
      const term = unused.get(keyOf(word));
      if (term === undefined || !isWrittenAs(word, term.term)) continue;
      unused.delete(keyOf(word));
      const href = escapeHtml(`${glossaryHref}#${anchorOf(term.term)}`);
      const link = `<a class="term" href="${href}" title="${escapeHtml(term.meaning)}">${escapeHtml(whole)}</a>`;
      made += escapeHtml(text.slice(end, index)) + link;
      end = index + whole.length;
    }
    return made + escapeHtml(text.slice(end));
  };
}

/** Terms of the glossary that are never linked, because the guides also use these words in another sense. */
const ORDINARY: ReadonlySet<string> = new Set(
  'app challenge delivery domain event finding hold lane node probe seed trial window'.split(' '),
);

function isWrittenAs(word: string, term: string): boolean {
  return /[A-Z]{2}/.test(term) ? word === term : true;
}

function keyOf(term: string): string {
  return term.toLowerCase();
}
