/** A message from the page to the search worker. */
export interface SearchQuestion {
  id: number;
  query: string;
}

export interface SearchAnswer {
  /** The question's id. */
  id: number;
  found: { title: string; page: string; href: string; excerpt: string; terms: string[] }[];
  /** False if the index could not be loaded. */
  isReady: boolean;
}
