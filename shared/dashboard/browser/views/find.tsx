import { type KeyboardEvent, type ReactElement, useState } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import type { DomainList } from '../../../schema/domain.ts';
import type { DashboardView } from '../navigation.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Link } from '../parts/link.tsx';
import { ShownStatus } from '../parts/pill.tsx';
import { useApi, useViewPath } from '../scope.ts';
import type { ShownViews } from './side.tsx';

/** A button in the bar that opens a search for domains by hostname, for entries by id, and for views. */
export function Find({ views }: { views: ShownViews }): ReactElement {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="find"
        data-find=""
        aria-haspopup="dialog"
        aria-label="Find a hostname or id"
        onClick={() => setOpen(true)}
      >
        <Icon name="search" />
        <span>Find a hostname or id</span>
        <kbd>⌘K</kbd>
      </button>
      {isOpen ? <FindDialog views={views} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

const DOMAINS_SHOWN = 8;
/** The views that can show an entry by its id, with the prefix of these ids. */
const ID_VIEWS: readonly (readonly [prefix: string, view: DashboardView])[] = [
  ['dom_', 'domains'],
  ['evt_', 'events'],
];

function FindDialog({ views, onClose }: { views: ShownViews; onClose: () => void }): ReactElement {
  const viewPath = useViewPath();
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const hostname = wanted.replace(/[^a-z0-9.-]/g, '');
  const query = new URLSearchParams({ hostname, limit: String(DOMAINS_SHOWN) });
  const { value } = useApi<DomainList>(hostname === '' ? null : `/domains?${query}`);
  const ids = ID_VIEWS.filter(([prefix]) => wanted.startsWith(prefix));
  const titles = [...views].filter(([, { title }]) => title.toLowerCase().startsWith(wanted));
  return (
    <Dialog title="Find" onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the field and the links inside */}
      <div className="found" onKeyDown={moveFocus}>
        <input
          type="search"
          data-first=""
          aria-label="Hostname, id or view"
          placeholder="careers.acme.com"
          value={text}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
        />
        <ul>
          {ids.map(([prefix, view]) => (
            <li key={prefix}>
              <Link href={viewPath(view, wanted)} onFollow={onClose}>
                Open <code>{wanted}</code>
              </Link>
            </li>
          ))}
          {value?.data.map(({ id, hostname: found, status, certificate }) => (
            <li key={id}>
              <Link href={viewPath('domains', id)} onFollow={onClose}>
                <strong>{found}</strong>
                <ShownStatus status={status} hasCertificate={certificate !== null} />
              </Link>
            </li>
          ))}
          {titles.map(([view, { title, icon }]) => (
            <li key={view}>
              <Link href={viewPath(view)} onFollow={onClose}>
                <Icon name={icon} /> {title}
              </Link>
            </li>
          ))}
        </ul>
        {ids.length + titles.length + (value?.data.length ?? 1) === 0 ? (
          <p className="muted">No domain of this mode begins with it.</p>
        ) : null}
      </div>
    </Dialog>
  );
}

/** Moves the focus with the arrow keys. Enter in the field opens the first result. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, a')];
  const at = stops.findIndex((stop) => stop.matches(':focus'));
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined) stops[at + step]?.focus();
  else if (event.key === 'Enter' && at === 0) stops[1]?.click();
  else return;
  event.preventDefault();
}
