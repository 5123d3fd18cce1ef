import { type ReactElement, useState } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import type { AccountView } from '../../responses.ts';
import { NewApp } from '../forms/new-app.tsx';
import { pathTo } from '../navigation.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Link } from '../parts/link.tsx';
import { useScope } from '../scope.ts';

/** Names the app of the page, and switches to another one. */
export function AppMenu({ accounts }: { accounts: readonly AccountView[] }): ReactElement {
  const { app, mode, session } = useScope();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" className="app-menu" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <span className="hidden">App: </span>
        <span className="app-name">{app.name}</span>
        <Icon name="chevron" />
      </button>
      {isOpen ? (
        <Dialog title="Your apps" onClose={close}>
          {accounts.map((account) => (
            <section key={account.id} className="menu-group">
              <h3>{account.name}</h3>
              <ul className="plain menu">
                {account.apps.map((each) => (
                  <li key={each.id}>
                    <Link
                      href={pathTo({ appId: each.id, mode }, 'home')}
                      aria-current={each.id === app.id ? 'true' : undefined}
                      onFollow={close}
                    >
                      {each.name}
                    </Link>
                  </li>
                ))}
              </ul>
              {account.role === 'viewer' || session.open ? null : <NewApp account={account} />}
            </section>
          ))}
        </Dialog>
      ) : null}
    </>
  );
}
