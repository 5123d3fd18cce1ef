import MiniSearch from 'minisearch';
import { findSections, INDEX_OPTIONS, type SearchSection } from '../search/search-terms.ts';
import type { SearchAnswer, SearchQuestion } from './search-messages.ts';

/** The search of the documentation, which runs in a web worker. The worker loads the index once, and answers each query from memory. */
const RESULTS_MAX = 12;
const indexUrl = new URL(location.href).searchParams.get('index') ?? '';
const ready = fetch(indexUrl)
  .then((response) => {
    if (!response.ok) throw new Error(`the index has the status ${response.status}`);
    return response.text();
  })
  .then((text) => MiniSearch.loadJSON<SearchSection>(text, INDEX_OPTIONS));

addEventListener('message', async ({ data }: MessageEvent<SearchQuestion>) => {
  try {
    answer({ id: data.id, found: search(await ready, data.query), isReady: true });
  } catch {
    answer({ id: data.id, found: [], isReady: false });
  }
});

function search(index: MiniSearch<SearchSection>, query: string): SearchAnswer['found'] {
  return findSections(index, query, RESULTS_MAX).map(({ title, page, href, text, terms, queryTerms }) => {
    const exact = terms.filter((term) => queryTerms.includes(term));
    return { title, page, href, excerpt: excerptOf(text, exact.length > 0 ? exact : terms), terms };
  });
}

const EXCERPT_CHARS = 130;

/** Returns the words around the first place of the longest term, because a whole word such as `dns_broken` says more than its parts. */
function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const longestFirst = [...terms].sort((a, b) => b.length - a.length);
  const at = longestFirst.map((term) => lower.indexOf(term)).find((place) => place >= 0) ?? 0;
  const start = at < EXCERPT_CHARS / 2 ? 0 : text.indexOf(' ', at - EXCERPT_CHARS / 3) + 1;
  const cut = text.slice(start, start + EXCERPT_CHARS);
  return `${start > 0 ? '… ' : ''}${cut}${start + EXCERPT_CHARS < text.length ? ' …' : ''}`;
}

function answer(message: SearchAnswer): void {
  postMessage(message);
}
