import { type ReactElement, type ReactNode, useState } from 'react';
import { type CursorRows, useCursorRows } from '../use-cursor-rows.ts';
import { type DrawnRows, NotLoaded } from './list-pane.tsx';
import { RowList } from './row-list.tsx';

/** Number of placeholder rows below the loaded rows while more rows follow, so that scrolling to them loads the rows. */
const FOLLOWING = 20;

/** A list of the API that loads more pages while it is scrolled. @param path the path of the list, with its filter. */
export function CursorList<T>({
  path,
  empty,
  head,
  ...drawn
}: DrawnRows<T> & {
  path: string;
  empty: ReactNode;
  /** Renders the part above the rows. */
  head: (known: CursorRows<T>) => ReactNode;
}): ReactElement {
  const [last, setLast] = useState(0);
  const known = useCursorRows<T>(path, last);
  const { rows, hasMore, error } = known;
  return (
    <>
      {head(known)}
      {error === null && rows !== null ? null : <NotLoaded error={error} />}
      {rows === null ? null : rows.length === 0 && !hasMore ? (
        empty
      ) : (
        // A list with a different filter starts at its top.
        <RowList<T>
          key={path}
          rows={rows}
          total={rows.length + (hasMore ? FOLLOWING : 0)}
          isOpenEnded={hasMore}
          onScroll={setLast}
          {...drawn}
        />
      )}
    </>
  );
}
