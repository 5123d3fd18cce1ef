import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { AccountApp, AccountView, AppOverview, DashboardSession } from '../responses.ts';
import { ask } from './ask.ts';
import type { RequestError } from './send.ts';

export interface OpenedApp {
  account: AccountView;
  /** The app; null if the account has none. */
  app: AccountApp | null;
}

export interface KnownApp {
  /** The account and the app; null until the first response, and if there is no such app. */
  opened: OpenedApp | null;
  error: RequestError | null;
}

/** The account of each app that was opened in this browser, and the app that was opened last. */
const MEMORY = 'dashboard-apps';
interface Memory {
  last: string | null;
  accounts: Record<string, string>;
}

/**
 * Reads the account of an app. Reads no other account, because each account that an operator reads gets an audit entry.
 * @param appId null to open the last app, or the first one.
 * @param accountId if set, opens the first app of this account instead.
 */
export function useAccount(
  session: DashboardSession,
  appId: string | null,
  accountId: string | null,
): KnownApp {
  const ids = session.accounts.map(({ id }) => id);
  const { data = null, error } = useQuery({
    queryKey: ['account', ids, appId, accountId],
    queryFn: ({ signal }) => openApp(ids, appId, accountId, signal),
    // If the path contains no app, the page opens the app of the response. A placeholder from the cache would open the previous app.
    ...(appId !== null && { placeholderData: keepPreviousData }),
  });
  return { opened: error?.status === 404 ? null : data, error };
}

async function openApp(
  accountIds: readonly string[],
  appId: string | null,
  accountId: string | null,
  signal: AbortSignal,
): Promise<OpenedApp | null> {
  const memory = readMemory();
  const wanted = appId ?? (accountId === null ? memory.last : null);
  const guess =
    accountId ?? (wanted === null ? undefined : memory.accounts[wanted]) ?? soleOrFirst(accountIds, appId);
  const guessed =
    guess === undefined || !accountIds.includes(guess) ? null : await readAccount(guess, signal);
  const opened = guessed && appOf(guessed, appId, wanted);
  if (opened !== null) return remember(opened);
  if (appId === null) {
    const first = accountIds[0];
    return first === undefined ? null : remember(appOf(await readAccount(first, signal), null, null));
  }
  const path = `/apps/${encodeURIComponent(appId)}/overview`;
  const { account_id } = await ask<AppOverview>(`GET ${path}`, undefined, signal);
  return remember(appOf(await readAccount(account_id, signal), appId, appId));
}

/** Returns the account if there is only one. Also returns the first account if any app is acceptable. */
function soleOrFirst(accountIds: readonly string[], appId: string | null): string | undefined {
  return accountIds.length === 1 || appId === null ? accountIds[0] : undefined;
}

function readAccount(id: string, signal: AbortSignal): Promise<AccountView> {
  return ask<AccountView>(`GET /accounts/${encodeURIComponent(id)}`, undefined, signal);
}

/** Returns the app with this id. If any app is acceptable, returns the preferred app or the first one. */
function appOf(account: AccountView, appId: string | null, preferred: string | null): OpenedApp | null {
  const app = account.apps.find(({ id }) => id === preferred);
  if (app !== undefined) return { account, app };
  return appId === null ? { account, app: account.apps[0] ?? null } : null;
}

function readMemory(): Memory {
  try {
    const { last = null, accounts = {} } = JSON.parse(localStorage.getItem(MEMORY) ?? '{}');
    return { last, accounts };
  } catch {
    return { last: null, accounts: {} };
  }
}

function remember(opened: OpenedApp | null): OpenedApp | null {
  if (opened?.app) {
    const accounts = { ...readMemory().accounts, [opened.app.id]: opened.account.id };
    localStorage.setItem(MEMORY, JSON.stringify({ last: opened.app.id, accounts }));
  }
  return opened;
}
