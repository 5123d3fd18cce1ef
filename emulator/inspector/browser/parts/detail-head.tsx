import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { Icon } from '../../../../shared/connect/panels/icons.tsx';
import { catchFocus } from '../focus.ts';
import { pathTo, usePlace } from '../navigation.ts';
import { Link } from './link.tsx';

/** The top of a detail: what it is of, where it stands, what can be done, and the way back to the list. */
export function DetailHead({
  title,
  state,
  actions,
}: {
  title: string;
  state?: ReactNode;
  actions?: ReactNode;
}): ReactElement {
  const { view, query } = usePlace();
  const heading = useRef<HTMLHeadingElement>(null);
  // On a phone it takes the place of the list, and of the row that was followed.
  useEffect(() => catchFocus(heading.current), []);
  return (
    <header className="detail-head">
      <div className="detail-title">
        <Link
          className="icon button back"
          href={pathTo(view, null, Object.fromEntries(query))}
          data-close=""
          aria-label="Close"
        >
          <Icon name="close" />
        </Link>
        <div className="detail-name">
          <h2 ref={heading} tabIndex={-1}>
            {title}
          </h2>
          {state}
        </div>
      </div>
      {actions === undefined ? null : <div className="actions">{actions}</div>}
    </header>
  );
}
