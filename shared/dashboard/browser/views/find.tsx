import { type KeyboardEvent, type ReactElement, useState } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import type { DomainList } from '../../../schema/domain.ts';
import { hostnamePrefix } from '../hostname-prefix.ts';
import { hasValidCertificate } from '../page-clock.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Link } from '../parts/link.tsx';
import { ShownStatus } from '../parts/pill.tsx';
import { useApi, useIdPath, useViewPath } from '../scope.ts';

const DOMAINS_SHOWN = 8;

/** A button in the bar that opens a search for domains by hostname. */
export function Find(): ReactElement {
  const viewPath = useViewPath();
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const idPath = useIdPath()(text);
  const hostname = idPath === null ? hostnamePrefix(text) : '';
  const query = new URLSearchParams({ hostname, limit: String(DOMAINS_SHOWN) });
  const { value } = useApi<DomainList>(isOpen && hostname !== '' ? `/domains?${query}` : null);
  // Until the response arrives, the value is that of the previous text.
  const rows = value?.data.filter((each) => each.hostname.startsWith(hostname)) ?? [];
  const close = () => {
    setOpen(false);
    setText('');
  };
  return (
    <>
      <button
        type="button"
        className="find"
        data-find=""
        aria-haspopup="dialog"
        title="Find a hostname (⌘K)"
        onClick={() => setOpen(true)}
      >
        <Icon name="search" />
        <span>Find a hostname</span>
        <kbd>⌘K</kbd>
      </button>
      {isOpen ? (
        <Dialog title="Find a hostname" onClose={close}>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the field and the links inside */}
          <div className="found" onKeyDown={moveFocus}>
            <input
              type="search"
              data-first=""
              aria-label="Hostname begins with"
              placeholder="careers.acme.com, or an id"
              value={text}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => setText(event.target.value)}
            />
            {rows.map((domain) => (
              <Link key={domain.id} href={viewPath('domains', domain.id)} onFollow={close}>
                <strong>{domain.hostname}</strong>
                <ShownStatus status={domain.status} hasCertificate={hasValidCertificate(domain)} />
              </Link>
            ))}
            {idPath === null ? null : (
              <Link href={idPath} onFollow={close}>
                Open <code>{text.trim()}</code>
              </Link>
            )}
            {value?.data.length === 0 ? (
              <p className="muted">No hostname in this mode begins with this text.</p>
            ) : null}
          </div>
        </Dialog>
      ) : null}
    </>
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
