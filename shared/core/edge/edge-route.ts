import { apexOf } from '../domains/hostname.ts';
import type { Instant } from '../instant.ts';

/** The fields that the edge needs to forward the requests for a hostname. */
export interface EdgeRoute {
  domain_id: string;
  app_id: string;
  /** The domain's own hostname. */
  hostname: string;
  /** Null if the domain has no origin, so that the edge responds with 503. */
  origin: RouteOrigin | null;
  /** Headers that the edge adds to every request of the domain, in place of any copy from the visitor (`docs/api.md#domain`). */
  origin_headers: Readonly<Record<string, string>> | null;
  /** The secret that the origin already accepts (`docs/api.md#authentication`). */
  signing_secret: string;
  /** The apex to redirect to. Set only for `www.<apex>`. */
  redirectTo: string | null;
  /** The next time at which the route changes by itself, for instance because its certificate ends. */
  until: Instant;
}

/**
 * The server that responds to the requests for a hostname. The sandbox origin shows visitors their own request, and only test domains may
 * use it.
 */
export type RouteOrigin =
  | ForwardingOrigin
  /** The edge itself serves the app's connect pages (`decisions/0049`). */
  | { kind: 'connect' };

/** The server to which the edge forwards requests. */
export type ForwardingOrigin =
  /** The URL is `https://host[:port]`. The emulator also allows `http:`. */
  { kind: 'app'; url: string } | { kind: 'sandbox' };

/** The route of a hostname as the edge uses it; null if the hostname has no route. */
export type FoundRoute = EdgeRoute | 'held' | null;

/** Finds the route of a hostname. @param hostname lowercase, without port, trailing dot or the emulator's `.localhost`. */
export type RouteSource = (hostname: string) => FoundRoute | Promise<FoundRoute>;

/** The route of a domain's hostname. */
export interface KnownRoute {
  /** Null if the hostname has no route yet, for example before it has a certificate. `unreadable` if the stored route cannot be read. */
  route: EdgeRoute | 'held' | 'unreadable' | null;
  /** Whether the `www.` name redirects to this name, as long as the `www.` name has no route of its own. */
  redirectsWww: boolean;
}

type KnownRoutes = (hostname: string) => KnownRoute | undefined;

/** Returns the names whose routes can apply to a hostname: the hostname, and for a `www.` name its apex. */
export function decidingNames(hostname: string): string[] {
  const apex = apexOf(hostname);
  return apex === null ? [hostname] : [hostname, apex];
}

/**
 * Finds the route of a hostname. A hold takes effect here immediately. The domains that the hold covers change later.
 * @throws UnreadableRouteError if the stored route cannot be read. No request is forwarded without a complete route.
 */
export function findRouteOf(hostname: string, isHeld: boolean, known: KnownRoutes): FoundRoute {
  const found = isHeld ? 'held' : followRoute(hostname, known);
  if (found === 'unreadable') throw new UnreadableRouteError();
  return found;
}

/** Returns the route of a hostname, or the route of the apex that redirects its `www.` name. Ignores holds. */
export function followRoute(hostname: string, known: KnownRoutes): KnownRoute['route'] {
  const own = known(hostname)?.route ?? null;
  if (own !== null) return own;
  const to = redirectingApex(hostname, known)?.route ?? null;
  return to === null || typeof to === 'string' ? to : { ...to, redirectTo: to.hostname };
}

/** Returns the route of the apex that redirects this `www.` name, if one does. */
export function redirectingApex(hostname: string, known: KnownRoutes): KnownRoute | undefined {
  const apex = apexOf(hostname);
  const found = apex === null ? undefined : known(apex);
  return found?.redirectsWww ? found : undefined;
}

export class UnreadableRouteError extends Error {
  override name = 'UnreadableRouteError';

  constructor() {
    super('the route cannot be read: the log has the cause from the first attempt to read it');
  }
}
