import { Fragment, type ReactElement } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import type { ShownView } from '../addition.ts';
import { type DashboardView, pathTo } from '../navigation.ts';
import { Link } from '../parts/link.tsx';
import { cappedCount } from '../parts/list-head.tsx';
import { LogoMark } from '../parts/logo-mark.tsx';
import { useScope } from '../scope.ts';
import { AppMenu } from './app-menu.tsx';
import { ModeSwitch } from './mode-switch.tsx';

/** The views in the order of the navigation. */
export type ShownViews = ReadonlyMap<DashboardView, ShownView>;

/** The headings of the navigation, before the first view of each group. */
const GROUPS: Partial<Record<DashboardView, string>> = { plan: 'Account', emulator: 'Emulator' };

interface NavigationInput {
  views: ShownViews;
  /** The view that the page shows. */
  view: DashboardView;
  /** The number of domains that need a change. */
  failing: number;
}

/** The wall on the left: the name of the service, the app, the mode, and the views. */
export function Side({ onHelp, ...input }: NavigationInput & { onHelp: () => void }): ReactElement {
  const { session, app, mode } = useScope();
  return (
    <section className="side" aria-label="App, mode and views">
      <Link className="brand" href={pathTo({ appId: app.id, mode }, 'home')}>
        <LogoMark />
        <span>{session.service_name}</span>
        {session.open ? <small>emulator</small> : null}
      </Link>
      <AppMenu />
      <ModeSwitch view={input.view} />
      <nav aria-label="Views">
        {[...input.views.keys()].map((each) => (
          <Fragment key={each}>
            {GROUPS[each] === undefined ? null : <h2>{GROUPS[each]}</h2>}
            <ViewLink {...input} to={each} />
          </Fragment>
        ))}
      </nav>
      <div className="foot">
        <DocsLink />
        <button type="button" data-help="" aria-haspopup="dialog" onClick={onHelp}>
          <Icon name="help" /> Keyboard <kbd>?</kbd>
        </button>
      </div>
    </section>
  );
}

/** A link of the navigation. @param onFollow called after a plain click. */
export function ViewLink({
  views,
  view,
  failing,
  to,
  onFollow,
}: NavigationInput & { to: DashboardView; onFollow?: () => void }): ReactElement | null {
  const { app, mode } = useScope();
  const shown = views.get(to);
  if (shown === undefined) return null;
  return (
    <Link
      href={pathTo({ appId: app.id, mode }, to)}
      aria-current={to === view ? 'page' : undefined}
      onFollow={onFollow}
    >
      <Icon name={shown.icon} />
      <span>{shown.title}</span>
      {to === 'domains' && failing > 0 ? (
        <span className="badge">
          {cappedCount(failing)}
          <span className="hidden"> need attention</span>
        </span>
      ) : null}
    </Link>
  );
}

export function DocsLink(): ReactElement {
  const { session } = useScope();
  return (
    <a href={session.docs_url} target="_blank" rel="noreferrer">
      <Icon name="book" /> Docs <Icon name="out2" />
    </a>
  );
}
