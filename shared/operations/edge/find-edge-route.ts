import { decidingNames, type FoundRoute, findRouteOf, type KnownRoute } from '../../core/edge/edge-route.ts';
import { routeAt } from '../../core/edge/edge-value.ts';
import type { DomainId } from '../../core/ids.ts';
import { getApp } from '../../store/accounts/apps.ts';
import { findDomainById } from '../../store/domains/domains.ts';
import { findHold } from '../../store/domains/holds.ts';
import { findRoutedDomains, type RoutedDomain } from '../../store/domains/routes.ts';
import type { Context } from '../context.ts';
import { openSigningSecrets } from '../events/signing-secrets.ts';
import { hostValueOf, readApps } from './read-edge-values.ts';

/** Finds the route of a hostname with database queries, for the edge of the emulator, which has no replica. */
export async function findEdgeRoute(context: Context, hostname: string): Promise<FoundRoute> {
  const sandboxed = await findSandboxRoute(context, hostname);
  if (sandboxed !== null) return sandboxed;
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

/**
 * Returns the route of a test domain of the hosted service, which the edge serves only at `<domain id>.<sandbox zone>`
 * (`docs/test-mode.md`).
 */
export async function findSandboxRoute(context: Context, hostname: string): Promise<FoundRoute> {
  const { sandboxZone } = context.settings;
  if (!isSandboxed(context, hostname)) return null;
  const id = hostname.slice(0, -sandboxZone.length - 1);
  const domain = await findDomainById(context.store, id as DomainId);
  if (domain?.mode !== 'test') return null;
  const known = await knownRoutes(context, [{ ...domain, holder_id: domain.id }]);
  const found = known.get(domain.hostname)?.route ?? null;
  return found === 'unreadable' ? null : found;
}

export function isSandboxed({ settings }: Pick<Context, 'settings'>, hostname: string): boolean {
  return hostname.endsWith(`.${settings.sandboxZone}`);
}

/**
 * Returns the secrets with which the sandbox origin verifies a domain's signatures, and the names of the headers that the origin hides.
 * Null if there is no such domain.
 */
export async function findSandboxDomain(context: Context, domainId: string) {
  const domain = await findDomainById(context.store, domainId as DomainId);
  if (domain === null) return null;
  return {
    signingSecrets: openSigningSecrets(context, await getApp(context.store, domain.app_id)),
    originHeaderNames: Object.keys(domain.origin_headers ?? {}),
  };
}
