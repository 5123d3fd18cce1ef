import { type ReactElement, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import type { Listing } from '../../responses.ts';
import { restoreFocus } from '../focus.ts';
import { go, pathTo, useLocation, type View } from '../navigation.ts';
import { useRows } from '../use-rows.ts';
import { Empty } from './facts.tsx';
import { RowList, type RowListInput } from './row-list.tsx';

/** A view with a list on the left and the selected entry on the right. On a narrow screen, the entry replaces the list. */
export function ListPane({ list, detail }: { list: ReactNode; detail: ReactNode | null }): ReactElement {
  const listPlace = useRef<HTMLDivElement>(null);
  const isClosed = detail === null;
  useEffect(() => {
    if (isClosed) restoreFocus(listPlace.current?.querySelector<HTMLElement>('[data-rows] a[tabindex="0"]'));
  }, [isClosed]);
  return (
    <div className={isClosed ? 'pane' : 'pane opened'}>
      <div className="pane-list" ref={listPlace}>
        {list}
      </div>
      {isClosed ? null : <div className="pane-detail">{detail}</div>}
    </div>
  );
}

/** Returns the filters of a view, which the URL holds, and a function that changes one. */
export function useFilter(
  view: View,
): [query: Record<string, string>, set: (name: string, value: string) => void] {
  const { query, id } = useLocation();
  const given = Object.fromEntries(query);
  return [given, (name, value) => go(pathTo(view, id, { ...given, [name]: value }), true)];
}

type Drawn<T> = Omit<RowListInput<T>, 'rows' | 'total' | 'onScroll'>;

/** A list that loads page by page, as far as its rows are visible. @param path of the control surface, with its filter. */
export function PagedRows<T, L extends Listing<T>>({
  path,
  query,
  empty,
  head,
  ...drawn
}: Drawn<T> & {
  path: string;
  query: Record<string, string>;
  empty: ReactNode;
  /** Renders the part above the rows. `listing` is null until the first page is loaded. */
  head: (listing: L | null) => ReactNode;
}): ReactElement {
  const [first, setFirst] = useState(0);
  const onScroll = useCallback((place: number) => setFirst(place), []);
  const { listing, rows, error } = useRows<T, L>(`${path}?${new URLSearchParams(query)}`, first);
  return (
    <>
      {head(listing)}
      {error === null ? null : <Empty title={error.message} />}
      {listing === null ? null : listing.total === 0 ? (
        empty
      ) : (
        <RowList<T> rows={rows} total={listing.total} onScroll={onScroll} {...drawn} />
      )}
    </>
  );
}

/** A list that the emulator returns as a whole. */
export function WholeRows<T>({
  rows,
  empty,
  ...drawn
}: Drawn<T> & { rows: T[] | null; empty: ReactNode }): ReactElement | null {
  if (rows === null) return null;
  if (rows.length === 0) return <>{empty}</>;
  return <RowList<T> rows={rows} total={rows.length} {...drawn} />;
}
