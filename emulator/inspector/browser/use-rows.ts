import { useEffect, useRef, useState } from 'react';
import type { Listing } from '../answers.ts';
import type { Refusal } from './ask.ts';
import { useLive } from './live.ts';
import { isAway, readOnce } from './use-answer.ts';

/** What a request asks for. It begins at a multiple of `STEP`, so that a little scrolling asks for nothing. */
const ROWS_ASKED = 200;
const STEP = 50;
/** Parts that are kept; a longer journey begins to collect them anew. */
const PARTS_MAX = 100;

/** The place from which to ask for rows when this one is at the top: rows before and after it are asked for as well. */
function offsetFor(first: number): number {
  return Math.max(0, (Math.floor(first / STEP) - 1) * STEP);
}

/** The rows that are known of a list of any length, each at its place. */
export interface KnownRows<T, L> {
  /** The latest answer; of the path before, until that of the new one is there. Null before the first. */
  listing: L | null;
  rows: readonly (T | undefined)[];
  refusal: Refusal | null;
}

/**
 * Reads a list of the control surface in parts, those first that can be seen, and keeps them until something changes.
 * @param path with its filter.
 * @param first the place of the row at the top.
 */
export function useRows<T, L extends Listing<T>>(path: string, first: number): KnownRows<T, L> {
  const [known, setKnown] = useState<KnownRows<T, L>>({ listing: null, rows: [], refusal: null });
  const { beat } = useLive();
  const readAt = useRef(beat);
  const reader = useRef<PartReader | null>(null);
  const offset = offsetFor(first);

  useEffect(() => {
    const made = createPartReader<T, L>(path, setKnown);
    reader.current = made;
    return made.stop;
  }, [path]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the reader of another path has to be told as well
  useEffect(() => reader.current?.want(offset), [path, offset]);

  useEffect(() => {
    // The first read is under way already.
    if (readAt.current !== beat) reader.current?.refresh();
    readAt.current = beat;
  }, [beat]);
  return known;
}

interface PartReader {
  want(offset: number): void;
  /** Reads the wanted part again, and forgets the others. */
  refresh(): void;
  stop(): void;
}

/** Has one request under way at most. After it comes the part that is wanted by then: those that were scrolled past are never asked for. */
function createPartReader<T, L extends Listing<T>>(
  path: string,
  onKnown: (update: (before: KnownRows<T, L>) => KnownRows<T, L>) => void,
): PartReader {
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
      const part = { offset: String(offset), limit: String(ROWS_ASKED) };
      const answer = await readOnce<L>(`${path}&${new URLSearchParams(part)}`, aborter.signal);
      if (aborter.signal.aborted) return;
      const { value: listing, refusal } = answer;
      if (listing === null) {
        // What was shown stays while the emulator is away.
        onKnown((before) => (isAway(answer) && before.listing !== null ? before : { ...before, refusal }));
        break;
      }
      if (isRefresh || listing.total !== total || parts.size >= PARTS_MAX) forget();
      total = listing.total;
      parts.add(offset);
      for (const [index, row] of listing.data.entries()) rows[offset + index] = row;
      onKnown(() => ({ listing, rows, refusal: null }));
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
