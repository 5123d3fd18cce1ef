import type { Domain } from '../core/domain.ts';
import { apexOf } from '../core/hostname.ts';
import type { DomainId } from '../core/ids.ts';
import { findDomainById } from '../store/domains.ts';
import { findHold } from '../store/holds.ts';
import { findRoute } from '../store/routes.ts';
import type { Context } from './context.ts';
import { type FoundRoute, readRoutes } from './read-routes.ts';

/** Where a visitor's hostname leads, asked of the database: by whoever remembers no routes. */
export async function findEdgeRoute(context: Context, hostname: string): Promise<FoundRoute | 'held' | null> {
  const sandboxed = await findSandboxRoute(context, hostname);
  if (sandboxed !== null) return sandboxed;
  // First of all: the domains that a hold covers follow it one by one.
  if ((await findHold(context.store, hostname)) !== null) return 'held';
  const own = await routedDomain(context, hostname);
  if (own !== null) return servable(context, own);
  const apex_name = apexOf(hostname);
  const apex = apex_name === null ? null : await routedDomain(context, apex_name);
  if (apex?.apex_redirect !== 'www') return null;
  const route = await servable(context, apex);
  return route === null || route === 'held' ? route : { ...route, redirect_to: apex.hostname };
}

/** A hosted test domain answers at `<domain id>.<sandbox zone>` and nowhere else (`docs/test-mode.md`). */
export async function findSandboxRoute(
  context: Context,
  hostname: string,
): Promise<FoundRoute | 'held' | null> {
  const { sandbox_zone } = context.settings;
  if (!isSandboxed(context, hostname)) return null;
  const id = hostname.slice(0, -sandbox_zone.length - 1);
  const domain = await findDomainById(context.store, id as DomainId);
  return domain?.mode === 'test' ? servable(context, domain) : null;
}

export function isSandboxed({ settings }: Pick<Context, 'settings'>, hostname: string): boolean {
  return hostname.endsWith(`.${settings.sandbox_zone}`);
}

async function routedDomain(context: Context, hostname: string): Promise<Domain | null> {
  const id = await findRoute(context.store, hostname);
  return id === null ? null : findDomainById(context.store, id);
}

async function servable(context: Context, domain: Domain): Promise<FoundRoute | 'held' | null> {
  const [read] = await readRoutes(context, [domain]);
  // What was wrong has been logged.
  if (read?.route === 'unreadable') throw new Error(`the route of ${domain.id} cannot be read`);
  return read?.route ?? null;
}
