import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { restoreFocus } from '../focus.ts';
import type { RequestError } from '../send.ts';
import { Empty } from './facts.tsx';
import { RowList, type RowListInput } from './row-list.tsx';

/**
 * A view with a list on the left and the selected entry on the right. On a narrow screen, the entry replaces the list.
 * @param isPage true if the entry replaces the list on every screen.
 */
export function ListPane({
  list,
  detail,
  isPage = false,
}: {
  list: ReactNode;
  detail: ReactNode | null;
  isPage?: boolean;
}): ReactElement {
  const listPlace = useRef<HTMLDivElement>(null);
  const isClosed = detail === null;
  useEffect(() => {
    if (isClosed) restoreFocus(listPlace.current?.querySelector<HTMLElement>('[data-rows] a[tabindex="0"]'));
  }, [isClosed]);
  return (
    <div className={isClosed ? 'pane' : `pane opened ${isPage ? 'whole' : 'split'}`}>
      <div className="pane-list" ref={listPlace}>
        {list}
      </div>
      {isClosed ? null : <div className="pane-detail">{detail}</div>}
    </div>
  );
}

/** Shows why a list is not loaded, or grey rows while it is loading. The rows appear after 300 ms, so that a fast response shows none. */
export function NotLoaded({ error }: { error: RequestError | null }): ReactElement {
  return error !== null ? (
    <Empty title={error.message}>
      <p>{error.fix} Your domains keep serving.</p>
    </Empty>
  ) : (
    <div className="bones" aria-hidden="true">
      {['62%', '78%', '54%', '70%', '48%', '66%'].map((width) => (
        <p key={width}>
          <i style={{ width }} />
        </p>
      ))}
    </div>
  );
}

/** The properties of the rows, without their number, which the list provides itself. */
export type DrawnRows<T> = Omit<RowListInput<T>, 'rows' | 'total' | 'onScroll'>;

/** A list that the server returns as a whole. */
export function WholeRows<T>({
  rows,
  empty,
  ...drawn
}: DrawnRows<T> & { rows: T[] | null; empty: ReactNode }): ReactElement | null {
  if (rows === null) return <NotLoaded error={null} />;
  if (rows.length === 0) return <>{empty}</>;
  return <RowList<T> rows={rows} total={rows.length} {...drawn} />;
}
