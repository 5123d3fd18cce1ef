import { apexOf } from './hostname.ts';
import type { Instant } from './instant.ts';

/** Everything that the edge needs to forward the requests for a hostname, and nothing else. */
export interface EdgeRoute {
  domain_id: string;
  app_id: string;
  /** The domain's own hostname. */
  hostname: string;
  /** Null: the domain has no origin, and the edge responds with 503. */
  origin: RouteOrigin | null;
  /** Section 2.2: added to every request of the domain, replacing any copy the visitor sent. */
  origin_headers: Readonly<Record<string, string>> | null;
  /** The secret that the origin already accepts (section 5.7). */
  signing_secret: string;
  /** For `www.<apex>`: the apex to redirect to. */
  redirect_to: string | null;
}

/** Where requests are forwarded to. Only a test domain may lead to the sandbox origin, which shows a request to its visitor. */
export type RouteOrigin =
  /** `https://host[:port]`; the emulator allows `http:` too. */
  { kind: 'app'; url: string } | { kind: 'sandbox' };

/** The route of a hostname as the edge acts on it; null if the hostname leads nowhere. */
export type FoundRoute = EdgeRoute | 'held' | null;

/** The route of a hostname that a domain has. */
export interface KnownRoute {
  /** Null: it leads nowhere now, as before its certificate is there. `unreadable`: it leads somewhere, and nobody can tell where. */
  route: EdgeRoute | 'held' | 'unreadable' | null;
  /** `www.` before it leads to it, unless a domain has that name. */
  redirects_www: boolean;
  /** When it is to be read again, because time alone changes it; null where nothing does. */
  changes_at: Instant | null;
}

type KnownRoutes = (hostname: string) => KnownRoute | undefined;

/** Returns the names whose routes decide where a hostname leads. */
export function decidingNames(hostname: string): string[] {
  const apex = apexOf(hostname);
  return apex === null ? [hostname] : [hostname, apex];
}

/**
 * Decides where a hostname leads. A hold comes first: the domains that it covers follow it one by one.
 * @throws UnreadableRouteError: nothing is forwarded by half of a route, least of all unsigned.
 */
export function findRouteOf(hostname: string, isHeld: boolean, known: KnownRoutes): FoundRoute {
  const found = isHeld ? 'held' : followRoute(hostname, known);
  if (found === 'unreadable') throw new UnreadableRouteError();
  return found;
}

/** Follows a hostname to its own route, else from `www.` to the apex that redirects it. Holds do not count here. */
export function followRoute(hostname: string, known: KnownRoutes): KnownRoute['route'] {
  const own = known(hostname);
  if (own !== undefined) return own.route;
  const to = redirectingApex(hostname, known)?.route ?? null;
  return to === null || typeof to === 'string' ? to : { ...to, redirect_to: to.hostname };
}

/** Returns what is known of the apex that redirects this `www.` name, if one does. */
export function redirectingApex(hostname: string, known: KnownRoutes): KnownRoute | undefined {
  const apex = apexOf(hostname);
  const found = apex === null ? undefined : known(apex);
  return found?.redirects_www ? found : undefined;
}

export class UnreadableRouteError extends Error {
  override name = 'UnreadableRouteError';

  constructor() {
    super('the route cannot be read: what is wrong was logged when it was tried');
  }
}
