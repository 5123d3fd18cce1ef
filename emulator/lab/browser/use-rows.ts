import { useEffect, useRef, useState } from 'react';
import { isUnreachable, readOnce } from '../../../shared/dashboard/browser/reading.ts';
import { useRevision } from '../../../shared/dashboard/browser/revision.ts';
import type { RequestError } from '../../../shared/dashboard/browser/send.ts';
import type { Listing } from '../responses.ts';
import { ask } from './ask.ts';

/** Rows per request. A request starts at a multiple of `STEP`, so that a little scrolling causes no request. */
const ROWS_PER_REQUEST = 200;
const STEP = 50;
/** The number of pages kept. Beyond it, the collection starts again. */
const PAGES_MAX = 100;

/** Returns the offset to request when this row is at the top, so that rows before and after it are loaded too. */
function offsetFor(first: number): number {
  return Math.max(0, (Math.floor(first / STEP) - 1) * STEP);
}

/** The known rows of a list of any length, by index. */
export interface KnownRows<T, L> {
  /** The latest page, which stays until the first page of a new path arrives. Null before the first one. */
  listing: L | null;
  rows: readonly (T | undefined)[];
  error: RequestError | null;
}

/**
 * Reads a list of the control surface page by page, the visible rows first, and keeps the pages until something changes.
 * @param path with its filter.
 * @param first index of the row at the top.
 */
export function useRows<T, L extends Listing<T>>(path: string, first: number): KnownRows<T, L> {
  const [known, setKnown] = useState<KnownRows<T, L>>({ listing: null, rows: [], error: null });
  const revision = useRevision();
  const readAt = useRef(revision);
  const reader = useRef<PageReader | null>(null);
  const offset = offsetFor(first);

  useEffect(() => {
    const made = createPageReader<T, L>(path, setKnown);
    reader.current = made;
    return made.stop;
  }, [path]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new path has a new reader, which needs the offset too
  useEffect(() => reader.current?.want(offset), [path, offset]);

  useEffect(() => {
    // The first read is already in progress.
    if (readAt.current !== revision) reader.current?.refresh();
    readAt.current = revision;
  }, [revision]);
  return known;
}

interface PageReader {
  want(offset: number): void;
  /** Reads the wanted page again and drops the others. */
  refresh(): void;
  stop(): void;
}

/**
 * Creates a reader with at most one request in flight. It then requests the page wanted by that time, so pages that were scrolled past are
 * never requested.
 */
function createPageReader<T, L extends Listing<T>>(
  path: string,
  onKnown: (update: (before: KnownRows<T, L>) => KnownRows<T, L>) => void,
): PageReader {
  const aborter = new AbortController();
  const parts = new Set<number>();
  let rows: T[] = [];
  let total = 0;
  let wanted: number | null = null;
  let isStale = true;
  let isReading = false;

  async function read(): Promise<void> {
    if (isReading || wanted === null) return;
    isReading = true;
    while (!aborter.signal.aborted && (isStale || !parts.has(wanted))) {
      const offset = wanted;
      const isRefresh = isStale;
      isStale = false;
      const part = { offset: String(offset), limit: String(ROWS_PER_REQUEST) };
      const resource = await readOnce<L>(ask, `${path}&${new URLSearchParams(part)}`, aborter.signal);
      if (aborter.signal.aborted) return;
      const { value: listing, error } = resource;
      if (listing === null) {
        // If the emulator is unreachable, the shown rows stay.
        onKnown((before) =>
          isUnreachable(resource) && before.listing !== null ? before : { ...before, error },
        );
        break;
      }
      if (isRefresh || listing.total !== total || parts.size >= PAGES_MAX) forget();
      total = listing.total;
      parts.add(offset);
      for (const [index, row] of listing.data.entries()) rows[offset + index] = row;
      onKnown(() => ({ listing, rows, error: null }));
    }
    isReading = false;
  }

  function forget(): void {
    parts.clear();
    rows = [];
  }

  return {
    want(offset) {
      wanted = offset;
      void read();
    },
    refresh() {
      isStale = true;
      void read();
    },
    stop: () => aborter.abort(),
  };
}
