import { type ReactElement, type ReactNode, useCallback, useState } from 'react';
import { type CursorRows, useCursorRows } from '../use-cursor-rows.ts';
import { Empty } from './facts.tsx';
import type { DrawnRows } from './list-pane.tsx';
import { RowList } from './row-list.tsx';

/** Placeholder rows below the known ones while more follow, so that scrolling asks for them. */
const FOLLOWING = 20;
/** Rows that fit on a tall screen. */
const ROWS_ON_SCREEN = 25;

/** A list of the API that reads more pages while it is scrolled. @param path of the list, with its filter. */
export function CursorList<T>({
  path,
  empty,
  head,
  keep,
  ...drawn
}: DrawnRows<T> & {
  path: string;
  empty: ReactNode;
  /** Renders the part above the rows. */
  head: (known: CursorRows<T>) => ReactNode;
  /** Leaves out rows that the server cannot filter. */
  keep?: (row: T) => boolean;
}): ReactElement {
  const [first, setFirst] = useState(0);
  const onScroll = useCallback((place: number) => setFirst(place), []);
  const [skipped, setSkipped] = useState(0);
  const known = useCursorRows<T>(path, first + skipped + ROWS_ON_SCREEN);
  const rows = keep === undefined ? known.rows : (known.rows?.filter(keep) ?? null);
  // Rows that are left out make room for further ones.
  const left = (known.rows?.length ?? 0) - (rows?.length ?? 0);
  if (left !== skipped) setSkipped(left);
  return (
    <>
      {head(known)}
      {known.error === null ? null : <Empty title={known.error.message}>{known.error.fix}</Empty>}
      {rows === null ? null : rows.length === 0 && !known.hasMore ? (
        empty
      ) : (
        <RowList<T>
          rows={rows}
          total={rows.length + (known.hasMore ? FOLLOWING : 0)}
          isOpenEnded={known.hasMore}
          onScroll={onScroll}
          topAfter={path}
          {...drawn}
        />
      )}
    </>
  );
}
