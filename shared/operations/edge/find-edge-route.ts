import { decidingNames, type FoundRoute, findRouteOf, type KnownRoute } from '../../core/edge/edge-route.ts';
import { type AppValue, type HostValue, routeAt } from '../../core/edge/edge-value.ts';
import type { DomainId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { findDomainById } from '../../store/domains/domains.ts';
import { findHold } from '../../store/domains/holds.ts';
import { findRoutedDomains, type RoutedDomain } from '../../store/domains/routes.ts';
import type { Context } from '../context.ts';
import { hostValueOf, readApps } from './read-edge-values.ts';

/** Finds the route of a hostname with database queries, for the edge of the emulator, which has no replica. */
export async function findEdgeRoute(context: Context, hostname: string): Promise<FoundRoute> {
  const id = testDomainAt(context, hostname);
  const sandboxed = id === null ? null : await findDomainValues(context, id);
  if (sandboxed?.host.mode === 'test') return sandboxRoute(sandboxed, context.clock.now());
  const isHeld = (await findHold(context.store, hostname)) !== null;
  const domains = isHeld ? [] : await findRoutedDomains(context.store, decidingNames(hostname));
  const known = await knownRoutes(context, domains);
  return findRouteOf(hostname, isHeld, (name) => known.get(name));
}

/** Returns the routes of domains as an edge derives them from their values. */
async function knownRoutes(
  context: Context,
  domains: readonly RoutedDomain[],
): Promise<Map<string, KnownRoute>> {
  const apps = await readApps(
    context,
    domains.map(({ app_id }) => app_id),
  );
  const known = new Map<string, KnownRoute>();
  for (const domain of domains) {
    const [host, app] = [hostValueOf(domain), apps.get(domain.app_id)];
    if (host === null || app === undefined) continue;
    const route = routeAt(domain.hostname, host, app, context.clock.now());
    known.set(domain.hostname, { route, redirectsWww: host.redirects_www });
  }
  return known;
}

/** The values of a test domain, which are not among the values of edges, because test domains are created by the thousand. */
export interface SandboxValues {
  hostname: string;
  host: HostValue;
  app: AppValue;
}

/** Returns the values of a domain that is not deleted, in any status; null if there is none with this id. */
export async function findDomainValues(context: Context, id: string): Promise<SandboxValues | null> {
  const domain = await findDomainById(context.store, id as DomainId);
  const host = domain && hostValueOf({ ...domain, holder_id: domain.id });
  if (!domain || !host) return null;
  const app = (await readApps(context, [domain.app_id])).get(domain.app_id);
  return app === undefined ? null : { hostname: domain.hostname, host, app };
}

/**
 * Returns the id of the test domain that the edge of the hosted service serves at `<domain id>.<sandbox zone>` (`docs/test-mode.md`); null
 * for another hostname.
 */
export function testDomainAt({ settings }: Pick<Context, 'settings'>, hostname: string): string | null {
  const zone = `.${settings.sandboxZone}`;
  const id = hostname.endsWith(zone) ? hostname.slice(0, -zone.length) : '';
  return /^dom_[0-9a-z]{26}$/.test(id) ? id : null;
}

/** Returns the route of a test domain. */
export function sandboxRoute({ hostname, host, app }: SandboxValues, now: Instant): FoundRoute {
  const route = routeAt(hostname, host, app, now);
  return route === 'unreadable' ? null : route;
}

/** Returns what the sandbox origin needs to verify the signatures of a domain's requests, and to hide its headers. */
export function sandboxDomain(values: SandboxValues | null, now: Instant) {
  if (values === null) return null;
  const { host, app } = values;
  const { secret, previous } = app;
  return {
    signingSecrets: previous !== null && now < previous.until ? [secret, previous.secret] : [secret],
    originHeaderNames: Object.keys(host.origin_headers ?? {}),
  };
}
