import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { restoreFocus } from '../focus.ts';
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

/** The properties of the rows, without their number, which the list provides itself. */
export type DrawnRows<T> = Omit<RowListInput<T>, 'rows' | 'total' | 'onScroll'>;

/** A list that the server returns as a whole. */
export function WholeRows<T>({
  rows,
  empty,
  ...drawn
}: DrawnRows<T> & { rows: T[] | null; empty: ReactNode }): ReactElement | null {
  if (rows === null) return null;
  if (rows.length === 0) return <>{empty}</>;
  return <RowList<T> rows={rows} total={rows.length} {...drawn} />;
}
