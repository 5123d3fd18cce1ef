import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import { restoreFocus } from '../focus.ts';
import { useAddress, withQuery } from '../router.ts';
import type { RequestError } from '../send.ts';
import { Empty } from './facts.tsx';
import { Link } from './link.tsx';
import { NotLoaded } from './loaded.tsx';

/**
 * The head of a detail view: title, state, actions, and the link back to the list.
 * @param input.look the classes of the title, such as `plate`.
 * @param input.children the line below the title.
 */
export function DetailHead(input: {
  title: string;
  look?: string;
  state?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}): ReactElement {
  const { title, look, state, actions, children } = input;
  const { path, query } = useAddress();
  const heading = useRef<HTMLHeadingElement>(null);
  // Moves the focus to the heading on a narrow screen, where the detail replaces the list with the focused row.
  useEffect(() => restoreFocus(heading.current), []);
  return (
    <header className="detail-head">
      <Link
        className="btn bare icon back"
        href={withQuery(path.slice(0, path.lastIndexOf('/')), Object.fromEntries(query))}
        data-close=""
        aria-label="Close"
      >
        <Icon name="x" />
      </Link>
      <h2 className={look} ref={heading} tabIndex={-1}>
        <span>{title}</span>
      </h2>
      {state}
      {actions === undefined ? null : <div className="actions">{actions}</div>}
      {children}
    </header>
  );
}

/** Shows that a detail could not be read. @param input.what the kind of detail, such as `Domain`. */
export function MissingDetail(input: { what: string; id: string; error: RequestError }): ReactElement {
  const { what, id, error } = input;
  return (
    <>
      <DetailHead title={id} />
      {error.status === 404 ? (
        <Empty title={`${what} not found`}>
          <p>It was deleted, or it belongs to another app or mode.</p>
        </Empty>
      ) : (
        <NotLoaded error={error} />
      )}
    </>
  );
}
