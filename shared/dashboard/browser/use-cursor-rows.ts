import { useEffect, useRef, useState } from 'react';
import { ask } from './ask.ts';
import { isUnreachable, readOnce } from './reading.ts';
import { useRevision } from './revision.ts';
import type { RequestError } from './send.ts';

/** One page of a list of the API. */
export interface CursorPage<T> {
  data: T[];
  next_cursor: string | null;
}

/** The known rows of a list whose length is unknown until its last page is read. */
export interface CursorRows<T> {
  /** Null until the first page is read. */
  rows: readonly T[] | null;
  hasMore: boolean;
  error: RequestError | null;
}

const ROWS_PER_PAGE = 100;
/** The next page is read when this many rows are left below the visible ones. */
const MARGIN = 40;

/**
 * Reads a list of the API page by page, as far as its rows are visible.
 * @param path with its filter.
 * @param last index of the last visible row.
 */
export function useCursorRows<T>(path: string, last: number): CursorRows<T> {
  const [known, setKnown] = useState<CursorRows<T>>({ rows: null, hasMore: false, error: null });
  const revision = useRevision();
  const readAt = useRef(revision);
  const reader = useRef<PageReader | null>(null);

  useEffect(() => {
    const made = createPageReader<T>(path, setKnown);
    reader.current = made;
    return made.stop;
  }, [path]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path has a new reader, which needs the last row too
  useEffect(() => reader.current?.want(last), [path, last]);

  useEffect(() => {
    // The first read is already in progress.
    if (readAt.current !== revision) reader.current?.refresh();
    readAt.current = revision;
  }, [revision]);
  return known;
}

interface PageReader {
  /** Reads on until the rows reach beyond this index. */
  want(last: number): void;
  /** Reads the page with the last visible row again. */
  refresh(): void;
  stop(): void;
}

/** Creates a reader with at most one request in flight. */
function createPageReader<T>(
  path: string,
  onKnown: (update: (before: CursorRows<T>) => CursorRows<T>) => void,
): PageReader {
  const aborter = new AbortController();
  /** The pages so far, each with the cursor that leads to it. */
  const pages: { cursor: string | null; page: CursorPage<T> }[] = [];
  let rows: T[] = [];
  let wanted = 0;
  let isStale = false;
  let isReading = false;

  const nextCursor = () => pages.at(-1)?.page.next_cursor ?? null;
  const needsMore = () => pages.length === 0 || (nextCursor() !== null && rows.length < wanted + MARGIN);

  async function read(): Promise<void> {
    if (isReading) return;
    isReading = true;
    while (!aborter.signal.aborted && (isStale || needsMore())) {
      const at = isStale && pages.length > 0 ? visiblePage() : pages.length;
      isStale = false;
      const cursor = pages[at]?.cursor ?? (at === 0 ? null : nextCursor());
      const query = new URLSearchParams({ limit: String(ROWS_PER_PAGE), ...(cursor !== null && { cursor }) });
      const joined = `${path}${path.includes('?') ? '&' : '?'}${query}`;
      const resource = await readOnce<CursorPage<T>>(ask, joined, aborter.signal);
      if (aborter.signal.aborted) return;
      const { value: page, error } = resource;
      if (page === null) {
        // If the server is unreachable, the shown rows stay.
        onKnown((before) =>
          isUnreachable(resource) && before.rows !== null ? before : { ...before, error },
        );
        break;
      }
      const hasMoved = pages[at] !== undefined && pages[at].page.next_cursor !== page.next_cursor;
      pages[at] = { cursor, page };
      // Rows were added or removed, so the later pages begin elsewhere now.
      if (hasMoved) pages.length = at + 1;
      rows = pages.flatMap((each) => each.page.data);
      onKnown(() => ({ rows, hasMore: nextCursor() !== null, error: null }));
    }
    isReading = false;
  }

  /** Returns the index of the page with the last visible row. */
  function visiblePage(): number {
    let count = 0;
    const found = pages.findIndex(({ page }) => {
      count += page.data.length;
      return wanted < count;
    });
    return found === -1 ? pages.length - 1 : found;
  }

  return {
    want(last) {
      wanted = last;
      void read();
    },
    refresh() {
      isStale = true;
      void read();
    },
    stop: () => aborter.abort(),
  };
}
