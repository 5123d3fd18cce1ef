import { segmentsOf, useAddress, withQuery } from '../../../shared/dashboard/browser/router.ts';

/** The views, in the order of the navigation. */
export const VIEWS = ['overview', 'domains', 'events', 'requests', 'mail', 'faults'] as const;
export type View = (typeof VIEWS)[number];

/** The location that the path names. */
export interface ViewLocation {
  view: View;
  /** Id of the open entry in the view's list; null for none. */
  id: string | null;
}

const BASE = '/_emulator/ui';

export function useLocation(): ViewLocation {
  const { path } = useAddress();
  const [name = '', id] = segmentsOf(path.slice(BASE.length));
  return { view: VIEWS.find((view) => view === name) ?? 'overview', id: id ?? null };
}

/** Returns the path of a view, or of one entry in it. Empty filters are omitted. */
export function pathTo(view: View, id: string | null = null, query: Record<string, string> = {}): string {
  const path = view === 'overview' ? BASE : `${BASE}/${view}`;
  return withQuery(id === null ? path : `${path}/${encodeURIComponent(id)}`, query);
}
