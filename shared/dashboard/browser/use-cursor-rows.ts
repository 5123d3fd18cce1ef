import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { ask } from './ask.ts';
import { isUnreachable } from './reading.ts';
import type { RequestError } from './send.ts';

/** A page of a list of the API. */
export interface CursorPage<T> {
  data: T[];
  next_cursor: string | null;
}

/** The loaded rows of a list. Its length is unknown until the last page is loaded. */
export interface CursorRows<T> {
  /** The rows; null until the first page is loaded. */
  rows: readonly T[] | null;
  hasMore: boolean;
  error: RequestError | null;
}

const ROWS_PER_PAGE = 100;

/** Returns the path of a page of a list. @param cursor null for the first page. */
export function listPagePath(path: string, cursor: string | null): string {
  const query = new URLSearchParams({ limit: String(ROWS_PER_PAGE), ...(cursor !== null && { cursor }) });
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

/** The next page is loaded when this number of loaded rows is left below the visible ones. */
const MARGIN = 40;
/** More rows than a screen shows. */
const SEEN_MAX = 30;

/**
 * Loads a list of the API page by page, as far as its rows are visible. Later refreshes only pages that can have a visible row.
 * @param path the path of the list, with its filter.
 * @param last the index of the last visible row.
 */
export function useCursorRows<T>(path: string, last: number): CursorRows<T> {
  const cache = useQueryClient();
  const [first, ...others] = pageQueries<T>(path, last, (key) => cache.getQueryData<CursorPage<T>>(key));
  const top = useQuery({ ...first, placeholderData: keepPreviousData });
  const results = [top, ...useQueries({ queries: top.isPlaceholderData ? [] : others })];
  const pages = results.flatMap(({ data }) => data ?? []);
  const error = results.find((result) => result.error !== null)?.error ?? null;
  return {
    rows: pages.length === 0 ? null : pages.flatMap(({ data }) => data),
    hasMore: (pages.at(-1)?.next_cursor ?? null) !== null,
    // If the server is unreachable, the shown rows stay.
    error: error !== null && isUnreachable(error) && pages.length > 0 ? null : error,
  };
}

type PageQuery<T> = ReturnType<typeof pageQuery<T>>;

/** Returns the queries of the loaded pages, and of the next page if it is needed. Each page contains the cursor of the next one. */
function pageQueries<T>(
  path: string,
  last: number,
  known: (key: readonly unknown[]) => CursorPage<T> | undefined,
): [PageQuery<T>, ...PageQuery<T>[]] {
  const queries: [PageQuery<T>, ...PageQuery<T>[]] = [pageQuery<T>(path, null)];
  let end = 0;
  for (const query of queries) {
    const page = known(query.queryKey);
    if (page === undefined) break;
    const begin = end;
    end += page.data.length;
    // Refreshes every page that can have a visible row. With several filters, a page can have few rows.
    query.enabled = last >= begin && (last < end + SEEN_MAX || page.next_cursor === null);
    if (page.next_cursor === null) break;
    const next = pageQuery<T>(path, page.next_cursor);
    if (end < last + MARGIN || known(next.queryKey) !== undefined) queries.push(next);
  }
  return queries;
}

function pageQuery<T>(path: string, cursor: string | null) {
  const joined = listPagePath(path, cursor);
  return {
    queryKey: ['page', joined],
    queryFn: ({ signal }: { signal: AbortSignal }) => ask<CursorPage<T>>(`GET ${joined}`, undefined, signal),
    enabled: true,
  };
}
