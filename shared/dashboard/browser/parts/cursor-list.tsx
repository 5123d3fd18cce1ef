import { type ReactElement, type ReactNode, useState } from 'react';
import { type CursorRows, useCursorRows } from '../use-cursor-rows.ts';
import { ListPane } from './list-pane.tsx';
import { NotLoaded } from './loaded.tsx';
import { RowList, type RowListInput } from './row-list.tsx';

/** Number of placeholder rows below the loaded rows while more rows follow, so that scrolling to them loads the rows. */
const FOLLOWING = 20;

/**
 * A view with a list of the API, which loads more pages while it is scrolled, and the selected entry.
 * @param input.path the path of the list, with its filter.
 */
export function CursorList<T>(
  input: Omit<RowListInput<T>, 'rows' | 'total' | 'onScroll'> & {
    path: string;
    empty: ReactNode;
    /** Renders the part above the rows. */
    head: (known: CursorRows<T>) => ReactNode;
    /** The part below the rows. */
    foot: ReactNode;
    /** Renders the selected entry, or returns null if there is none. */
    detail: (known: CursorRows<T>) => ReactNode | null;
    /** True if the entry replaces the list on every screen. */
    isPage?: boolean;
  },
): ReactElement {
  const { path, empty, head, foot, detail, isPage, ...drawn } = input;
  const [last, setLast] = useState(0);
  const known = useCursorRows<T>(path, last);
  const { rows, hasMore, error } = known;
  const list = (
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
      {foot}
    </>
  );
  return <ListPane list={list} detail={detail(known)} isPage={isPage} />;
}
