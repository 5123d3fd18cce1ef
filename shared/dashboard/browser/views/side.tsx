import { Fragment, type ReactElement, useState } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import { MODES } from '../../../core/domains/status.ts';
import type { ShownView } from '../addition.ts';
import { NewAppForm } from '../forms/new-app.tsx';
import { BASE, type DashboardView, NEW_ACCOUNT, pathTo } from '../navigation.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Link } from '../parts/link.tsx';
import { cappedCount } from '../parts/list-head.tsx';
import { LogoMark } from '../parts/logo-mark.tsx';
import { withQuery } from '../router.ts';
import { useCan, useScope } from '../scope.ts';

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

/** Shows the name of the page's app, and switches to another app or account. @param onFollow called after the switch. */
export function AppMenu({ onFollow }: { onFollow?: () => void }): ReactElement {
  const { app, account, mode, session } = useScope();
  const mayChange = useCan('developer');
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const follow = () => {
    close();
    onFollow?.();
  };
  const others = session.accounts.filter(({ id }) => id !== account.id);
  return (
    <>
      <button type="button" className="app-menu" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <span className="hidden">App: </span>
        <span className="app-name">{app.name}</span>
        <Icon name="down" />
      </button>
      {isOpen ? (
        <Dialog title="Your apps" onClose={close}>
          <section className="menu-group">
            <h3>{account.name}</h3>
            <ul className="plain menu">
              {account.apps.map((each) => (
                <li key={each.id}>
                  <Link
                    href={pathTo({ appId: each.id, mode }, 'home')}
                    aria-current={each.id === app.id ? 'true' : undefined}
                    onFollow={follow}
                  >
                    {each.name}
                  </Link>
                </li>
              ))}
            </ul>
            {session.open || !mayChange ? null : <NewAppForm account={account} />}
          </section>
          {others.length === 0 ? null : (
            <section className="menu-group">
              <h3>Other accounts</h3>
              <ul className="plain menu">
                {others.map(({ id, name }) => (
                  <li key={id}>
                    <Link href={withQuery(BASE, { account: id })} onFollow={follow}>
                      {name}
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
          )}
          {session.open || session.sign_in.sign_up !== 'open' ? null : (
            <p className="menu-group">
              <Link href={NEW_ACCOUNT} onFollow={follow}>
                Create another account
              </Link>
            </p>
          )}
        </Dialog>
      ) : null}
    </>
  );
}

/** The names of the modes that people read. */
export const MODE_WORDS = { live: 'Live', test: 'Test' } as const;

/** Shows the mode of the page, and switches to the other one. */
export function ModeSwitch(input: {
  view: DashboardView;
  onFollow?: (() => void) | undefined;
}): ReactElement {
  const { view, onFollow } = input;
  const { app, mode } = useScope();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups form controls, and these are links
    <div className="mode" role="group" aria-label="Mode">
      {MODES.toReversed().map((each) => (
        <Link
          key={each}
          href={pathTo({ appId: app.id, mode: each }, view)}
          aria-current={each === mode ? 'true' : undefined}
          onFollow={onFollow}
        >
          {MODE_WORDS[each]}
        </Link>
      ))}
    </div>
  );
}
