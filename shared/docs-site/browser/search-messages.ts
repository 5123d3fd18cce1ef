/** A query that the page sends to the search worker. */
export interface SearchQuestion {
  id: number;
  query: string;
}

export interface SearchAnswer {
  /** The id of the question that this message answers. */
  id: number;
  found: { title: string; page: string; href: string; excerpt: string; terms: string[] }[];
  /** False if the index could not be loaded. */
  isReady: boolean;
}
