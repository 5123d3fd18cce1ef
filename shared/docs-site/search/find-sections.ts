import type MiniSearch from 'minisearch';
import type { SearchResult } from 'minisearch';
import { queryTerms, type SearchSection } from './search-terms.ts';

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
