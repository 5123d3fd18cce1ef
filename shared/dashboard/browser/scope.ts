import { createContext, useContext } from 'react';
import { mayAct, type Role } from '../../core/accounts/member.ts';
import type { Mode, Status } from '../../core/domains/status.ts';
import type { AppResource } from '../../schema/app.ts';
import type { AccountApp, AccountView, AppOverview, DashboardSession, ModeOverview } from '../responses.ts';
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

/**
 * Returns whether the person has at least this role. The page uses this only to leave out buttons, because the server checks permissions.
 */
export function useCan(role: Role): boolean {
  const { session, account } = useScope();
  return session.open || mayAct(account.role, { role });
}

/** Why the account has no live mode now, in words. */
export const LIVE_MODE_REFUSALS = {
  card_required: 'Live keys and live domains need a card on file during the trial.',
  live_keys_need_plan: 'Live keys and live domains need a plan.',
};

/** Returns whether the account has a plan feature now. A trial has the features of Growth. */
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

/** Returns a function that returns the path of the domain, event or app with an id; null for any other text. */
export function useIdPath(): (text: string) => string | null {
  const viewPath = useViewPath();
  const { mode } = useScope();
  return (text) => {
    const [id = '', kind] = /^(dom|evt|app)_[0-9a-z]{26}$/.exec(text.trim()) ?? [];
    if (kind === undefined) return null;
    return kind === 'app'
      ? pathTo({ appId: id, mode }, 'home')
      : viewPath(kind === 'dom' ? 'domains' : 'events', id);
  };
}

/** Returns the path of an API call in the page's app and mode. @param path below `/v1`, such as `/domains`. */
export function apiPath({ app, mode }: Pick<PageScope, 'app' | 'mode'>, path: string): string {
  return `/apps/${encodeURIComponent(app.id)}/${mode}${path}`;
}

/** Returns the path of an API call about the whole app. It uses live mode, because in test mode some of these calls are not allowed. */
export function appPath({ app }: Pick<PageScope, 'app'>, path: string): string {
  return apiPath({ app, mode: 'live' }, path);
}

/** Reads from the API in the page's app and mode. */
export function useApi<T>(path: string | null): Resource<T> {
  const scope = useScope();
  return useResource<T>(path === null ? null : apiPath(scope, path));
}

/** Calls the API in the page's app and mode. @param call method and path, such as `POST /domains`. */
export function askApi<T>(scope: Pick<PageScope, 'app' | 'mode'>, call: string, body?: object): Promise<T> {
  const [method = '', path = ''] = call.split(' ');
  return ask<T>(`${method} ${apiPath(scope, path)}`, body);
}

/** Reads the app of the page. */
export function useApp(): Resource<AppResource> {
  return useResource<AppResource>(appPath(useScope(), '/apps/current'));
}

/** Reads the counts of an app. */
export function useOverview(appId: string): Resource<AppOverview> {
  return useResource<AppOverview>(`/apps/${encodeURIComponent(appId)}/overview`);
}

/**
 * Changes one field of the app.
 * @param expected the value that the form showed. If it is no longer the current value, the server refuses the change.
 */
export async function changeApp(
  scope: PageScope,
  field: keyof AppResource,
  value: string | null,
  expected: string | null,
): Promise<void> {
  const body = { [field]: value, expected: { [field]: expected } };
  await ask(`PATCH ${appPath(scope, '/apps/current')}`, body);
}

/** The statuses of listed domains, in the order in which they are shown: what works, is under way, is broken, and has stopped. */
export const LISTED_STATUSES = [
  'active',
  'issuing',
  'verifying',
  'pending_dns',
  'dns_broken',
  'cert_failed',
  'held',
  'expired',
] as const satisfies readonly Status[];

/** Returns the number of domains of a mode that are not deleted. */
export function domainCount({ by_status: counts }: Pick<ModeOverview, 'by_status'>): number {
  return LISTED_STATUSES.reduce((total, status) => total + (counts[status] ?? 0), 0);
}
