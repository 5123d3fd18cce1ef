import { type ReactElement, useEffect, useRef, useState } from 'react';
import { Icon, type IconName } from '../../../../shared/connect/panels/icons.tsx';
import { restoreFocus } from '../../../../shared/dashboard/browser/focus.ts';
import { Notices } from '../../../../shared/dashboard/browser/notices.tsx';
import { Link } from '../../../../shared/dashboard/browser/parts/link.tsx';
import { type Live, useLive } from '../live.ts';
import { pathTo, useLocation, VIEWS, type View } from '../navigation.ts';
import { useShortcuts } from '../shortcuts.ts';
import { Domains } from '../views/domains.tsx';
import { Events } from '../views/events.tsx';
import { Faults } from '../views/faults.tsx';
import { Mail } from '../views/mail.tsx';
import { Overview } from '../views/overview.tsx';
import { Requests } from '../views/requests.tsx';
import { ClockBar } from './clock-bar.tsx';
import { HelpDialog } from './help-dialog.tsx';

interface ShownView {
  title: string;
  icon: IconName;
  Content: () => ReactElement;
}

const SHOWN: Record<View, ShownView> = {
  overview: { title: 'Overview', icon: 'grid', Content: Overview },
  domains: { title: 'Domains', icon: 'globe', Content: Domains },
  events: { title: 'Events', icon: 'bolt', Content: Events },
  requests: { title: 'Requests', icon: 'swap', Content: Requests },
  mail: { title: 'Mail', icon: 'mail', Content: Mail },
  faults: { title: 'Faults', icon: 'warning', Content: Faults },
};

/** The inspector's frame: navigation, clock, and the view that the URL names. */
export function Shell(): ReactElement {
  const { view, id } = useLocation();
  const { title, Content } = SHOWN[view];
  const [helping, setHelping] = useState(false);
  const main = useRef<HTMLElement>(null);
  useShortcuts();
  useEffect(() => {
    document.title = id === null ? `${title} · Emulator` : `${title} · ${id} · Emulator`;
  }, [title, id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the view has changed
  useEffect(() => restoreFocus(main.current), [view]);
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="bar">
        <h1>Emulator</h1>
        <Connection />
        <ClockBar />
        <button
          type="button"
          className="icon"
          data-help=""
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts (?)"
          onClick={() => setHelping(true)}
        >
          ?
        </button>
      </header>
      <nav aria-label="Views">
        {VIEWS.map((each) => (
          <Link key={each} href={pathTo(each)} aria-current={each === view ? 'page' : undefined}>
            <Icon name={SHOWN[each].icon} />
            <span>{SHOWN[each].title}</span>
          </Link>
        ))}
      </nav>
      <main id="main" ref={main} tabIndex={-1} key={view}>
        <Content />
      </main>
      <Notices />
      {helping ? <HelpDialog onClose={() => setHelping(false)} /> : null}
    </div>
  );
}

const CONNECTION_WORDS: Record<Live['connection'], string> = {
  connecting: 'connecting',
  live: 'live',
  lost: 'not reachable',
};

function Connection(): ReactElement {
  const { connection } = useLive();
  return (
    <span className={`connection ${connection}`} role="status">
      {CONNECTION_WORDS[connection]}
    </span>
  );
}
