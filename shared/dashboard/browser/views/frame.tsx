import { type ReactElement, useEffect, useState } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import { type Addition, type ShownView, useAddition } from '../addition.ts';
import { restoreFocus } from '../focus.ts';
import { type DashboardView, LAB_VIEWS, pathTo, usePlace, VIEWS } from '../navigation.ts';
import { NoticeList } from '../notices.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Link } from '../parts/link.tsx';
import { type PageScope, ScopeContext } from '../scope.ts';
import { AppMenu } from './app-menu.tsx';
import { AppSettings } from './app-settings.tsx';
import { Audit } from './audit.tsx';
import { Domains } from './domains.tsx';
import { Events } from './events.tsx';
import { Home } from './home.tsx';
import { Keys } from './keys.tsx';
import { Members } from './members.tsx';
import { ModeBar } from './mode-bar.tsx';
import { PlanPage } from './plan.tsx';
import { Sessions } from './sessions.tsx';
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
/** Number of views in the navigation bar of a narrow screen. The menu has the other views. */
const NARROW_VIEWS = 4;

/** Returns the views in the order of the navigation. */
function shownViews(addition: Addition | null, isOpen: boolean): ReadonlyMap<DashboardView, ShownView> {
  const own = VIEWS.map((view) => [view, SHOWN[view]] as const);
  const added = addition === null ? [] : LAB_VIEWS.map((view) => [view, addition.views[view]] as const);
  return new Map<DashboardView, ShownView>(
    [...own, ...added].filter(([, each]) => !(isOpen && each.needsAccount)),
  );
}

/** The frame of all views: the app, the mode, the navigation, and the view of the current path. */
export function Frame({ scope }: { scope: PageScope }): ReactElement {
  const { session, app, mode } = scope;
  const { view: named, id } = usePlace();
  const addition = useAddition();
  const shown = shownViews(addition, session.open);
  const views = [...shown.keys()];
  const view = shown.has(named) ? named : 'home';
  const { title, Content } = shown.get(view) ?? SHOWN.home;
  const [isMenuOpen, setMenuOpen] = useState(false);
  useEscape();
  useEffect(() => {
    const parts = [mode === 'live' ? 'LIVE' : 'test', title, ...(id === null ? [] : [id]), app.name];
    document.title = `${parts.join(' · ')} · ${session.service_name}`;
  }, [title, id, mode, app.name, session.service_name]);

  const link = (each: DashboardView, place: number, onClick?: () => void) => (
    <Link
      key={each}
      className={place >= NARROW_VIEWS ? 'rest' : undefined}
      href={pathTo({ appId: app.id, mode }, each)}
      aria-current={each === view ? 'page' : undefined}
      onFollow={onClick}
    >
      <Icon name={(shown.get(each) ?? SHOWN.home).icon} />
      <span>{shown.get(each)?.title}</span>
    </Link>
  );

  return (
    <ScopeContext value={scope}>
      <div className={`shell dashboard ${mode}`}>
        <a className="skip" href="#main">
          Skip to content
        </a>
        <header className="bar">
          <h1>{session.service_name}</h1>
          <AppMenu />
          <div className="bar-end">
            <a className="button small-button roomy" href={session.docs_url} target="_blank" rel="noreferrer">
              Docs <Icon name="out" />
            </a>
          </div>
        </header>
        {addition === null ? null : <addition.Bar />}
        <ModeBar view={view} />
        <nav aria-label="Views">
          {views.map((each, place) => link(each, place))}
          <button
            type="button"
            className="more"
            aria-haspopup="dialog"
            onClick={() => setMenuOpen(true)}
            data-current={views.indexOf(view) >= NARROW_VIEWS || undefined}
          >
            <Icon name="menu" />
            <span>More</span>
          </button>
        </nav>
        <main id="main" ref={restoreFocus} tabIndex={-1} key={`${app.id} ${mode} ${view}`}>
          <Content />
        </main>
        <NoticeList />
        {isMenuOpen ? (
          <Dialog title="More" onClose={() => setMenuOpen(false)}>
            <ul className="plain menu">
              {views.slice(NARROW_VIEWS).map((each) => (
                <li key={each}>{link(each, 0, () => setMenuOpen(false))}</li>
              ))}
            </ul>
          </Dialog>
        ) : null}
      </div>
    </ScopeContext>
  );
}

/** Closes the open detail with Escape. Does not handle Escape in an input field or in a dialog, which the browser closes. */
function useEscape(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      if (document.querySelector('dialog[open]') !== null) return;
      if (event.target instanceof HTMLElement && event.target.matches('input, select, textarea')) return;
      document.querySelector<HTMLElement>('[data-close]')?.click();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}
