import type MiniSearch from 'minisearch';
import type { SearchResult } from 'minisearch';

/** A part of a page that a search can find: a heading and the text below it. */
export interface SearchSection {
  id: number;
  /** The text of the heading. */
  title: string;
  /** The title of the page. */
  page: string;
  /** The path below `/docs`, such as `webhooks#retries`. */
  href: string;
  text: string;
}

/** Options of the search index. The build, which makes the index, and the browser, which reads it, must use the same options. */
export const INDEX_OPTIONS = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'href', 'text'],
  tokenize: indexTerms,
  processTerm: (term: string) => term.toLowerCase(),
};

/**
 * Returns the terms of a text or a query: each word and, for a word such as `service-signature`, also its parts. The whole word is
 * needed, because a node replaces the service's name only in whole words.
 */
function indexTerms(text: string): string[] {
  return [...text.matchAll(WORD)].flatMap(([word]) => {
    const parts = partsOf(word);
    return parts.length > 1 || parts[0] !== word ? [word, ...parts] : parts;
  });
}

function partsOf(word: string): string[] {
  return word.match(/[\p{L}\p{N}]+/gu) ?? [];
}

const SEPARATOR = /[_.-]/;
const WHOLE_WORD_BOOST = 5;
const WORD = /[\p{L}\p{N}_][\p{L}\p{N}_.-]*[\p{L}\p{N}]|[\p{L}\p{N}]/gu;

/** Returns the sections that match a query, the best first. Sections that contain more of the query's words come first. */
export function findSections(index: MiniSearch<SearchSection>, query: string, max: number): SearchResult[] {
  const results = index.search(query, {
    tokenize: searchedTerms,
    // Only the whole of a word such as `dns_broken` may be the beginning of a longer word: its part `dns` would match too much.
    prefix: (term, at, terms) =>
      !terms.slice(0, at).some((whole) => SEPARATOR.test(whole) && whole.includes(term)),
    fuzzy: (term) => (term.length > 4 && !SEPARATOR.test(term) ? 0.2 : false),
    boost: { title: 4, page: 2 },
    boostTerm: (term) => (SEPARATOR.test(term) ? WHOLE_WORD_BOOST : 1),
    boostDocument: (_id, _term, stored) => rankOf(String(stored?.['href'])),
  });
  const scoreOf = ({ score, queryTerms: matched }: SearchResult) => score * matched.length ** 3;
  return results.toSorted((a, b) => scoreOf(b) - scoreOf(a)).slice(0, max);
}

/**
 * Returns the weight of a section. Guides come before the pages of the API, which repeat field names, and before the changelog, which
 * mentions everything.
 */
function rankOf(href: string): number {
  if (href.startsWith('changelog')) return 0.1;
  return href.startsWith('api/') ? 0.6 : 1;
}

/**
 * Returns the words of a query without fillers such as "how". If nothing else is left, returns all words. A word such as `dns_broken` is
 * searched as a whole and in its parts, as the index has it.
 */
function searchedTerms(query: string): string[] {
  const all = indexTerms(query);
  const telling = all.filter((word) => !FILLERS.has(word.toLowerCase()));
  return telling.length > 0 ? telling : all;
}

const FILLERS = new Set(
  'a an and are can do does for from how i in is it me my not of on or our that the to use what when which why with your'.split(
    ' ',
  ),
);
