import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { AccountApp, AccountView, AppOverview, DashboardSession } from '../responses.ts';
import { ask } from './ask.ts';
import type { RequestError } from './send.ts';

export interface OpenedApp {
  account: AccountView;
  /** Null if the account has no app. */
  app: AccountApp | null;
}

export interface KnownApp {
  /** Null until the first reading, and if there is no such app. */
  opened: OpenedApp | null;
  error: RequestError | null;
}

/** The account of each app that this browser has opened, and the app that it opened last. */
const MEMORY = 'dashboard-apps';
interface Memory {
  last: string | null;
  accounts: Record<string, string>;
}

/**
 * Reads the account of an app. It reads no other account, because the audit log names each account that an operator looks at.
 * @param appId null opens the last app, or the first one.
 * @param accountId opens the first app of this account instead.
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
    // If the address names no app, the page opens the app in the response. A placeholder would open the previous app.
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

/** Returns the only account, or the first one if any app will do. */
function soleOrFirst(accountIds: readonly string[], appId: string | null): string | undefined {
  return accountIds.length === 1 || appId === null ? accountIds[0] : undefined;
}

function readAccount(id: string, signal: AbortSignal): Promise<AccountView> {
  return ask<AccountView>(`GET /accounts/${encodeURIComponent(id)}`, undefined, signal);
}

/** Returns the app with this id. If any app will do, returns the preferred one or the first. */
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
