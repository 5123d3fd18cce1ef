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
