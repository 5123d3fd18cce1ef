import { type ReactElement, useState } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import { NewAppForm } from '../forms/new-app.tsx';
import { BASE, NEW_ACCOUNT, pathTo } from '../navigation.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Link } from '../parts/link.tsx';
import { withQuery } from '../router.ts';
import { useCan, useScope } from '../scope.ts';

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
