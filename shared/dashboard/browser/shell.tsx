import { type ReactElement, useEffect, useMemo } from 'react';
import type { DashboardSession } from '../responses.ts';
import { NewAppForm } from './forms/new-app.tsx';
import { BASE, NEW_ACCOUNT, pathTo, usePlace } from './navigation.ts';
import { go, useAddress } from './router.ts';
import type { PageScope } from './scope.ts';
import { Alone } from './sign-in/alone.tsx';
import { useAccount } from './use-account.ts';
import { Frame } from './views/frame.tsx';
import { NewAccountView } from './views/new-account.tsx';

/** Opens the app whose id is in the path, and renders its views. @param appId null on `/dashboard` itself. */
export function Shell({ session, appId }: { session: DashboardSession; appId: string | null }): ReactElement {
  const { mode, view, id } = usePlace();
  const { path, query } = useAddress();
  const isNew = path === NEW_ACCOUNT;
  const { opened, error } = useAccount(session, isNew ? null : appId, query.get('account'));

  const scope = useMemo<PageScope | null>(() => {
    if (opened === null) return null;
    const app = appId === null ? opened.app : opened.account.apps.find(({ id }) => id === appId);
    return app ? { session, mode, account: opened.account, app } : null;
  }, [session, opened, appId, mode]);

  const openedId = scope?.app.id;
  // A reset of the emulator replaces its app.
  const isGone = session.open && appId !== null && error?.status === 404;
  useEffect(() => {
    if (isGone) go(pathTo({ appId: null, mode }, view), true);
    else if (openedId !== undefined && appId === null && !isNew)
      go(pathTo({ appId: openedId, mode }, view, id, Object.fromEntries(query)), true);
  }, [openedId, appId, isGone, mode, view, id, query, isNew]);

  if (isNew || (session.accounts.length === 0 && !session.open)) return <NewAccountView session={session} />;
  if (scope !== null) return <Frame scope={scope} />;
  if (opened?.app === null) {
    return (
      <Alone title={opened.account.name} service={session.service_name}>
        <p>This account has no app yet.</p>
        <NewAppForm account={opened.account} />
      </Alone>
    );
  }
  if (error === null) {
    return (
      <Alone title={session.service_name}>
        <p>Loading…</p>
      </Alone>
    );
  }
  return (
    <Alone
      title={error.status === 404 ? 'App not found' : 'The app could not be loaded'}
      service={session.service_name}
    >
      <p>
        {error.status === 404
          ? 'This app does not exist, or you are not a member of its account.'
          : error.message}
      </p>
      <a className="btn" href={BASE}>
        Go to your apps
      </a>
    </Alone>
  );
}
