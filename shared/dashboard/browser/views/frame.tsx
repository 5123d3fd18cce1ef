import { type ReactElement, useEffect, useState } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import { type Addition, type ShownView, useAddition } from '../addition.ts';
import { restoreFocus } from '../focus.ts';
import { type DashboardView, LAB_VIEWS, pathTo, usePlace, VIEWS } from '../navigation.ts';
import { NoticeList } from '../notices.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Link } from '../parts/link.tsx';
import { cappedCount, useHeadCount } from '../parts/list-head.tsx';
import { LogoMark } from '../parts/logo-mark.tsx';
import { useFilter } from '../router.ts';
import { type PageScope, ScopeContext, useOverview } from '../scope.ts';
import { SHORTCUTS, useShortcuts, useShortcutsEnabled } from '../shortcuts.ts';
import { AppSettings } from './app-settings.tsx';
import { failingCount } from './attention.tsx';
import { Audit } from './audit.tsx';
import { Domains } from './domains.tsx';
import { Events } from './events.tsx';
import { Find } from './find.tsx';
import { Home } from './home.tsx';
import { Keys } from './keys.tsx';
import { Members } from './members.tsx';
import { PlanPage } from './plan.tsx';
import { Sessions } from './sessions.tsx';
import { AppMenu, DocsLink, MODE_WORDS, ModeSwitch, type ShownViews, Side, ViewLink } from './side.tsx';
import { Webhook } from './webhook.tsx';

const SHOWN: Record<(typeof VIEWS)[number], ShownView> = {
  home: { title: 'Home', icon: 'home', Content: Home },
  domains: { title: 'Domains', icon: 'domains', Content: Domains },
  events: { title: 'Events', icon: 'events', Content: Events },
  webhook: { title: 'Webhook', icon: 'webhook', Content: Webhook },
  keys: { title: 'Keys', icon: 'key', Content: Keys },
  app: { title: 'App', icon: 'app', Content: AppSettings },
  plan: { title: 'Plan', icon: 'plan', Content: PlanPage, needsAccount: true },
  members: { title: 'Members', icon: 'people', Content: Members, needsAccount: true },
  audit: { title: 'Audit log', icon: 'log', Content: Audit, needsAccount: true },
  sessions: { title: 'Sessions', icon: 'person', Content: Sessions, needsAccount: true },
};
/** Number of views in the bar at the bottom of a narrow screen. The menu has the other views. */
const NARROW_VIEWS = 4;

/** Returns the views in the order of the navigation. */
function shownViews(addition: Addition | null, isOpen: boolean): ShownViews {
  const own = VIEWS.map((view) => [view, SHOWN[view]] as const);
  const added = addition === null ? [] : LAB_VIEWS.map((view) => [view, addition.views[view]] as const);
  return new Map<DashboardView, ShownView>(
    [...own, ...added].filter(([, each]) => !(isOpen && each.needsAccount)),
  );
}

/** The frame of all views: the wall with the app, the mode and the navigation, the bar, and the view of the current path. */
export function Frame({ scope }: { scope: PageScope }): ReactElement {
  const { session, app, mode } = scope;
  const { view: named, id } = usePlace();
  const addition = useAddition();
  const [query] = useFilter();
  const count = useHeadCount();
  const { value: overview } = useOverview(app.id);
  const [opened, setOpened] = useState<'menu' | 'help' | null>(null);
  const close = () => setOpened(null);
  const initials = session.mail?.slice(0, 2).toUpperCase();
  const views = shownViews(addition, session.open);
  const view = views.has(named) ? named : 'home';
  const { title, Content } = views.get(view) ?? SHOWN.home;
  const input = { views, view, failing: overview === null ? 0 : failingCount(overview[mode].by_status) };
  const [narrow, rest] = [[...views.keys()].slice(0, NARROW_VIEWS), [...views.keys()].slice(NARROW_VIEWS)];
  useShortcuts();
  useEffect(() => {
    const parts = [mode === 'live' ? 'LIVE' : 'Test', title, ...(id === null ? [] : [id]), app.name];
    document.title = `${parts.join(' · ')} · ${session.service_name}`;
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    icon?.setAttribute('href', icon.dataset[mode] ?? '');
  }, [title, id, mode, app.name, session.service_name]);

  return (
    <ScopeContext value={scope}>
      <div className={`shell ${mode}`}>
        <a className="skip" href="#main">
          Skip to content
        </a>
        <Side {...input} onHelp={() => setOpened('help')} />
        <header className="head">
          <LogoMark />
          <h1>
            {id === null ? (
              <span>{title}</span>
            ) : (
              <Link href={pathTo({ appId: app.id, mode }, view, null, query)}>{title}</Link>
            )}
            {count === null ? null : <span className="count">{cappedCount(count)}</span>}
          </h1>
          <div className="tools">
            {addition === null ? null : <addition.Tool />}
            <Find />
            {session.mail === null ? null : (
              <Link
                className="avatar"
                href={pathTo({ appId: app.id, mode }, 'sessions')}
                title={session.mail}
                aria-label={`${initials}, sessions of ${session.mail}`}
              >
                {initials}
              </Link>
            )}
            <button
              type="button"
              className="phone-mode"
              aria-haspopup="dialog"
              onClick={() => setOpened('menu')}
            >
              {MODE_WORDS[mode]}
              <span className="hidden"> mode</span>
            </button>
          </div>
        </header>
        <main id="main" ref={restoreFocus} tabIndex={-1} key={`${app.id} ${mode} ${view}`}>
          <Content />
        </main>
        <nav className="tabs" aria-label="Views">
          {narrow.map((each) => (
            <ViewLink key={each} {...input} to={each} />
          ))}
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={() => setOpened('menu')}
            data-current={rest.includes(view) || undefined}
          >
            <Icon name="menu" />
            <span>More</span>
          </button>
        </nav>
        <NoticeList />
        {opened === 'help' ? <HelpDialog onClose={close} /> : null}
        {opened === 'menu' ? (
          <Dialog title="More" onClose={close}>
            <div className={`menu-top ${mode}`}>
              <AppMenu onFollow={close} />
              <ModeSwitch view={view} onFollow={close} />
            </div>
            <ul className="menu">
              {rest.map((each) => (
                <li key={each}>
                  <ViewLink {...input} to={each} onFollow={close} />
                </li>
              ))}
              <li>
                <DocsLink />
              </li>
            </ul>
          </Dialog>
        ) : null}
      </div>
    </ScopeContext>
  );
}

function HelpDialog({ onClose }: { onClose: () => void }): ReactElement {
  const [enabled, setEnabled] = useShortcutsEnabled();
  const shortcuts = [...SHORTCUTS, ...(useAddition()?.shortcuts ?? [])];
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="shortcuts">
        {shortcuts.map(([keys, what]) => (
          <div key={keys}>
            <dt>{keys.split(' ').map((key) => (key === '…' ? ' … ' : <kbd key={key}>{key}</kbd>))}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label className="check">
        <input type="checkbox" checked={enabled} onChange={(event) => setEnabled(event.target.checked)} />
        Enable single-key shortcuts
      </label>
    </Dialog>
  );
}
