import { createSharedValue, useSharedValue } from './shared-value.ts';

/** The path and the query of the page's address. */
export interface Address {
  path: string;
  query: URLSearchParams;
}

const address = createSharedValue(readAddress());
addEventListener('popstate', () => address.set(readAddress()));

export function useAddress(): Address {
  return useSharedValue(address);
}

/** Navigates to a path. @param replace true to replace the history entry instead of adding one, such as while typing into a filter. */
export function go(path: string, replace = false): void {
  if (path === location.pathname + location.search) return;
  if (replace) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  address.set(readAddress());
}

/** Appends a query to a path. Leaves out empty values. */
export function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** Returns the segments of a path, decoded. */
export function segmentsOf(path: string): string[] {
  return path.split('/').filter(Boolean).map(decoded);
}

/** Returns the filters of the current view from the URL, and a function that changes one of them. */
export function useFilter(): [query: Record<string, string>, set: (name: string, value: string) => void] {
  const { path, query } = useAddress();
  const given = Object.fromEntries(query);
  return [given, (name, value) => go(withQuery(path, { ...given, [name]: value }), true)];
}

function readAddress(): Address {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // No entry has this id, and the view reports that.
  }
}
