import { createStore, useStore } from './store.ts';

/** The views, in the order of the navigation. */
export const VIEWS = ['overview', 'domains', 'events', 'requests', 'mail', 'faults'] as const;
export type View = (typeof VIEWS)[number];

/** The location that the path names. */
export interface ViewLocation {
  view: View;
  /** Id of the open entry in the view's list; null for none. */
  id: string | null;
  query: URLSearchParams;
}

const BASE = '/_emulator/ui';

const viewLocation = createStore(readLocation());
addEventListener('popstate', () => viewLocation.set(readLocation()));

export function useLocation(): ViewLocation {
  return useStore(viewLocation);
}

/** Returns the path of a view, or of one entry in it. Empty filters are omitted. */
export function pathTo(view: View, id: string | null = null, query: Record<string, string> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
  const path = view === 'overview' ? BASE : `${BASE}/${view}`;
  return (id === null ? path : `${path}/${encodeURIComponent(id)}`) + search;
}

/** Navigates to a path. @param replace replaces the history entry, as typing into a filter does, instead of adding one. */
export function go(path: string, replace = false): void {
  if (path === location.pathname + location.search) return;
  if (replace) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  viewLocation.set(readLocation());
}

function readLocation(): ViewLocation {
  const [name = '', id] = location.pathname.slice(BASE.length).split('/').filter(Boolean);
  return {
    view: VIEWS.find((view) => view === name) ?? 'overview',
    id: id === undefined ? null : decoded(id),
    query: new URLSearchParams(location.search),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // No entry has this id, and the view reports that.
  }
}
