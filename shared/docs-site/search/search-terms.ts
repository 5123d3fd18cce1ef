import type MiniSearch from 'minisearch';
import type { SearchResult } from 'minisearch';

/** A part of a page that a search can find: a heading and the text below it. */
export interface SearchSection {
  id: number;
  /** The heading. */
  title: string;
  /** The title of the page. */
  page: string;
  /** The address below `/docs`, such as `webhooks#retries`. */
  href: string;
  text: string;
}

/** How the index is made and read. The build and the browser must agree on it. */
export const INDEX_OPTIONS = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'href', 'text'],
  tokenize: indexTerms,
  processTerm: (term: string) => term.toLowerCase(),
};

/**
 * Returns the terms of a text for the index: each word, and its parts if it has some. A node replaces the name of the service in whole words
 * (`service-signature`), so the index has those too.
 */
function indexTerms(text: string): string[] {
  return [...text.matchAll(WORD)].flatMap(([word]) => {
    const parts = queryTerms(word);
    return parts.length > 1 || parts[0] !== word ? [word, ...parts] : parts;
  });
}

/** Returns the terms of a query: the parts of its words, each of which must be the beginning of a term. */
export function queryTerms(query: string): string[] {
  return query.match(/[\p{L}\p{N}]+/gu) ?? [];
}

const WORD = /[\p{L}\p{N}_][\p{L}\p{N}_.-]*[\p{L}\p{N}]|[\p{L}\p{N}]/gu;

/** Returns the sections that match a query, the best first. A section with more of the query's words comes before one with fewer. */
export function findSections(index: MiniSearch<SearchSection>, query: string, max: number): SearchResult[] {
  const results = index.search(query, {
    tokenize: searchedTerms,
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    boost: { title: 4, page: 2 },
    boostDocument: (_id, _term, stored) => rankOf(String(stored?.['href'])),
  });
  const scoreOf = ({ score, queryTerms: matched }: SearchResult) => score * matched.length ** 3;
  return results.toSorted((a, b) => scoreOf(b) - scoreOf(a)).slice(0, max);
}

/** Puts guides before the pages of the API, which repeat their fields, and before the changelog, which mentions everything. */
function rankOf(href: string): number {
  if (href.startsWith('changelog')) return 0.1;
  return href.startsWith('api/') ? 0.6 : 1;
}

/** Returns the words of a query that narrow the search down. If there are none, returns all words. */
function searchedTerms(query: string): string[] {
  const all = queryTerms(query);
  const telling = all.filter((word) => !FILLERS.has(word.toLowerCase()));
  return telling.length > 0 ? telling : all;
}

const FILLERS = new Set(
  'a an and are can do does for from how i in is it me my not of on or our that the to use what when which why with your'.split(
    ' ',
  ),
);
