import { createContext, useContext } from 'react';
import { mayAct, type Role } from '../../core/accounts/member.ts';
import type { Mode } from '../../core/domains/status.ts';
import type { AccountApp, AccountView, DashboardSession } from '../responses.ts';
import { ask, useResource } from './ask.ts';
import { type DashboardView, pathTo } from './navigation.ts';
import type { Resource } from './reading.ts';

/** The app, the mode and the account that the page shows, and the role that the person has in the account. */
export interface PageScope {
  session: DashboardSession;
  account: AccountView;
  app: AccountApp;
  mode: Mode;
}

export const ScopeContext = createContext<PageScope | null>(null);

export function useScope(): PageScope {
  const scope = useContext(ScopeContext);
  if (scope === null) throw new Error('useScope needs a ScopeContext around it');
  return scope;
}

/** Returns whether the person may do what this role may do. The server decides; the page only leaves out buttons. */
export function useCan(role: Role): boolean {
  const { session, account } = useScope();
  return session.open || mayAct(account.role, { role });
}

/** Returns whether the account has a feature of the plans now. A trial has those of Growth. */
export function planIncludes(
  { on_trial, plan, plans }: AccountView,
  feature: 'per_domain_origin' | 'whitelabel',
): boolean {
  const current = on_trial ? 'growth' : plan;
  return plans.some(({ name, ...features }) => name === current && features[feature]);
}

/** Returns the path of another view of the same app and mode. */
export function useViewPath(): (
  view: DashboardView,
  id?: string | null,
  query?: Record<string, string>,
) => string {
  const { app, mode } = useScope();
  return (view, id, query) => pathTo({ appId: app.id, mode }, view, id, query);
}

/** Returns the path of an API call in the page's app and mode. @param path below `/v1`, such as `/domains`. */
export function apiPath({ app, mode }: Pick<PageScope, 'app' | 'mode'>, path: string): string {
  return `/apps/${encodeURIComponent(app.id)}/${mode}${path}`;
}

/** Returns the path of a call that concerns the whole app. Such calls use live mode, because a test key may not make all of them. */
export function appPath({ app }: Pick<PageScope, 'app'>, path: string): string {
  return apiPath({ app, mode: 'live' }, path);
}

/** Reads from the API in the page's app and mode. */
export function useApi<T>(path: string | null): Resource<T> {
  const scope = useScope();
  return useResource<T>(path === null ? null : apiPath(scope, path));
}

/** Calls the API in the page's app and mode. @param call such as `POST /domains`. */
export function askApi<T>(scope: Pick<PageScope, 'app' | 'mode'>, call: string, body?: object): Promise<T> {
  const [method = '', path = ''] = call.split(' ');
  return ask<T>(`${method} ${apiPath(scope, path)}`, body);
}
