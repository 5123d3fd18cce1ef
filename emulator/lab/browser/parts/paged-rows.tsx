import { type ReactElement, type ReactNode, useCallback, useState } from 'react';
import { Empty } from '../../../../shared/dashboard/browser/parts/facts.tsx';
import type { DrawnRows } from '../../../../shared/dashboard/browser/parts/list-pane.tsx';
import { RowList } from '../../../../shared/dashboard/browser/parts/row-list.tsx';
import type { Listing } from '../../responses.ts';
import { useRows } from '../use-rows.ts';

/** A list that loads page by page, as far as its rows are visible. @param path of the control surface, with its filter. */
export function PagedRows<T, L extends Listing<T>>({
  path,
  query,
  empty,
  head,
  ...drawn
}: DrawnRows<T> & {
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
