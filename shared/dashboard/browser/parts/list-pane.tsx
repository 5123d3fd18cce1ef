import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { restoreFocus } from '../focus.ts';

/**
 * A view with a list on the left and the selected entry on the right. On a narrow screen, the entry replaces the list.
 * @param input.isPage true if the entry replaces the list on every screen.
 */
export function ListPane(input: {
  list: ReactNode;
  detail: ReactNode | null;
  isPage?: boolean | undefined;
}): ReactElement {
  const { list, detail, isPage = false } = input;
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
