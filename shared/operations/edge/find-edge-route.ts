import {
  decidingNames,
  type FoundRoute,
  findRouteOf,
  UnreadableRouteError,
} from '../../core/edge/edge-route.ts';
import type { DomainId } from '../../core/ids.ts';
import { getApp } from '../../store/accounts/apps.ts';
import { findDomainById } from '../../store/domains/domains.ts';
import { findHold } from '../../store/domains/holds.ts';
import { findRoutedDomains } from '../../store/domains/routes.ts';
import type { Context } from '../context.ts';
import { openSigningSecrets } from '../events/signing-secrets.ts';
import { readRoutes } from './read-routes.ts';

/** Finds the route of a hostname with database queries. Used by an edge that has no routes in memory. */
export async function findEdgeRoute(context: Context, hostname: string): Promise<FoundRoute> {
  const sandboxed = await findSandboxRoute(context, hostname);
  if (sandboxed !== null) return sandboxed;
  const isHeld = (await findHold(context.store, hostname)) !== null;
  const domains = isHeld ? [] : await findRoutedDomains(context.store, decidingNames(hostname));
  const known = new Map((await readRoutes(context, domains)).map((read) => [read.hostname, read]));
  return findRouteOf(hostname, isHeld, (name) => known.get(name));
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
  const [read] = await readRoutes(context, [{ ...domain, holder_id: domain.id }]);
  if (read?.route === 'unreadable') throw new UnreadableRouteError();
  return read?.route ?? null;
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
