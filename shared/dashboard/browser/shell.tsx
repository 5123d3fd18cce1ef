import { type ReactElement, useEffect, useMemo } from 'react';
import type { AccountApp, AccountView, DashboardSession } from '../responses.ts';
import { NEW_ACCOUNT, pathTo, usePlace } from './navigation.ts';
import { Notices } from './notices.tsx';
import { go, useAddress } from './router.ts';
import type { Scope } from './scope.ts';
import { Alone } from './sign-in/alone.tsx';
import { useAccounts } from './use-accounts.ts';
import { Frame } from './views/frame.tsx';
import { NewAccount } from './views/new-account.tsx';

const LAST_APP = 'dashboard-last-app';

/** Finds the app that the path names, and draws its views. @param appId null on `/dashboard` itself. */
export function Shell({ session, appId }: { session: DashboardSession; appId: string | null }): ReactElement {
  const { mode } = usePlace();
  const { path } = useAddress();
  const { accounts, error } = useAccounts(session);
  const found =
    find(accounts, appId ?? localStorage.getItem(LAST_APP)) ?? (appId === null ? first(accounts) : null);
  const isNew = path === NEW_ACCOUNT;

  // The server's objects are new after each reading. The context changes only with their content.
  const content = JSON.stringify([session, found, mode]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the objects
  const scope = useMemo<Scope | null>(() => found && { session, mode, ...found }, [content]);

  const foundId = found?.app.id;
  useEffect(() => {
    if (foundId === undefined) return;
    localStorage.setItem(LAST_APP, foundId);
    if (appId === null && !isNew) go(pathTo({ appId: foundId, mode }, 'home'), true);
  }, [foundId, appId, mode, isNew]);

  if (isNew || (accounts?.length === 0 && !session.open)) return <NewAccount session={session} />;
  if (scope !== null) return <Frame scope={scope} accounts={accounts ?? []} />;
  if (accounts === null) {
    return (
      <Alone title={session.service_name}>{error === null ? <p>Loading…</p> : <p>{error.message}</p>}</Alone>
    );
  }
  return (
    <>
      <Alone title="App not found">
        <p>This app does not exist, or you are not a member of its account.</p>
        <a className="button" href="/dashboard">
          Go to your apps
        </a>
      </Alone>
      <Notices />
    </>
  );
}

function find(
  accounts: readonly AccountView[] | null,
  id: string | null,
): { account: AccountView; app: AccountApp } | null {
  for (const account of accounts ?? []) {
    const app = account.apps.find((each) => each.id === id);
    if (app !== undefined) return { account, app };
  }
  return null;
}

function first(accounts: readonly AccountView[] | null): { account: AccountView; app: AccountApp } | null {
  const id = accounts?.flatMap(({ apps }) => apps)[0]?.id;
  return id === undefined ? null : find(accounts, id);
}
