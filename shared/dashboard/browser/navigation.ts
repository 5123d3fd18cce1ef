import type { Mode } from '../../core/domains/status.ts';
import { segmentsOf, useAddress, withQuery } from './router.ts';

/** The views of an app and of its account, in the order of the navigation. */
export const VIEWS = [
  'home',
  'domains',
  'events',
  'webhook',
  'keys',
  'app',
  'plan',
  'members',
  'audit',
  'sessions',
] as const;
/** The views that only the emulator has. */
export const LAB_VIEWS = ['emulator', 'requests', 'mail', 'faults'] as const;
export type LabView = (typeof LAB_VIEWS)[number];
export type DashboardView = (typeof VIEWS)[number] | LabView;

/**
 * Replaces the app's id in an address that works for every app. The address opens the app that the browser opened last, or the first one.
 */
const ANY_APP = '-';

/** A place in the dashboard: `/dashboard/{appId}/{mode}/{view}/{id}`. */
export interface Place {
  /** The app's id; null for any app, such as on `/dashboard` itself. */
  appId: string | null;
  mode: Mode;
  view: DashboardView;
  /** The id of the open entry in the view's list; null for none. */
  id: string | null;
}

export const BASE = '/dashboard';
export const SIGN_IN = `${BASE}/sign-in`;
/** The path for links in mails and from the billing provider, which contain no app. It opens the plan of the first app's account. */
const BILLING = `${BASE}/billing`;
export const NEW_ACCOUNT = `${BASE}/new`;

export function usePlace(): Place {
  const { path } = useAddress();
  const [appId, mode, view, id] = segmentsOf(path.slice(BASE.length));
  if (path === BILLING) return { appId: null, mode: 'live', view: 'plan', id: null };
  return {
    appId: appId === undefined || appId === ANY_APP ? null : appId,
    mode: mode === 'live' ? 'live' : 'test',
    view: [...VIEWS, ...LAB_VIEWS].find((each) => each === view) ?? 'home',
    id: id ?? null,
  };
}

/** Returns the path of a view. Leaves out empty filters. @param place.appId null opens the view in any app. */
export function pathTo(
  place: Pick<Place, 'appId' | 'mode'>,
  view: DashboardView,
  id: string | null = null,
  query: Record<string, string> = {},
): string {
  const parts = [
    place.appId ?? ANY_APP,
    place.mode,
    ...(view === 'home' ? [] : [view]),
    ...(id === null ? [] : [id]),
  ];
  return withQuery(`${BASE}/${parts.map(encodeURIComponent).join('/')}`, query);
}

/** Maximum length of a path that the server accepts for after a sign-in. */
const NEXT_CHARS_MAX = 200;

/** Returns the path to open after a sign-in by link. Removes the filters, because the server accepts only a plain path. */
export function returnPath(path: string): string {
  const [plain = ''] = path.split('?');
  return isOwnPath(plain) && plain.length <= NEXT_CHARS_MAX ? plain : BASE;
}

/** Returns whether a path belongs to the dashboard, so that a link cannot open another site after the sign-in. */
export function isOwnPath(path: string | null): path is string {
  return path !== null && /^\/dashboard(?:[/?]|$)/.test(path) && !path.includes('\\');
}
