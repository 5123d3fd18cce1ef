import { type Account, effectivePlan, onTrial } from '../../core/accounts/account.ts';
import type { App } from '../../core/apps/app.ts';
import { isValid } from '../../core/certificates/certificate.ts';
import type { FoundRoute, KnownRoute, RouteOrigin } from '../../core/edge/edge-route.ts';
import type { AppId } from '../../core/ids.ts';
import { DAY_MS, type Instant } from '../../core/instant.ts';
import { getAccounts } from '../../store/accounts/accounts.ts';
import { getApps } from '../../store/accounts/apps.ts';
import type { RoutedDomain } from '../../store/domains/routes.ts';
import type { Context } from '../context.ts';
import { openAcceptedSecret } from '../events/signing-secrets.ts';

/** The route of a hostname, as read from the database. */
export interface ReadRoute extends KnownRoute {
  hostname: string;
}

/** How long route changes are stored. An edge that was disconnected for longer reads all routes again. */
export const ROUTE_CHANGES_KEPT_MS = DAY_MS;

/**
 * Reads the routes of domains. A domain needs a valid certificate to be routed, and must not be held or deleted. Other statuses do not
 * matter, so visitors do not notice a renewal, a retry or a broken record (`docs/domains.md`). If a route cannot be read, for instance
 * because the key of a secret is lost, this logs an error and reads the other routes.
 * @param domains domains that have the route of their hostname.
 */
export async function readRoutes(context: Context, domains: readonly RoutedDomain[]): Promise<ReadRoute[]> {
  if (domains.length === 0) return [];
  const { store } = context;
  const apps = await getApps(
    store,
    domains.map(({ app_id }) => app_id),
  );
  const accounts = await getAccounts(
    store,
    [...apps.values()].map(({ account_id }) => account_id),
  );
  const now = context.clock.now();
  const unreadable = new Set<AppId>();
  return domains.map((domain) => {
    const { id, app_id, hostname, apex_redirect } = domain;
    const rest = { hostname, redirectsWww: apex_redirect === 'www' };
    try {
      const app = apps.get(app_id);
      const account = app && accounts.get(app.account_id);
      if (!app || !account) throw new Error(`${id} has no app or no account`);
      const owned = { domain, app, account };
      return { ...rest, route: routeOf(context, owned, now), changesAt: nextChange(owned, now) };
    } catch (error) {
      // Logs one error for each app, because all its domains share the secret that cannot be read.
      if (!unreadable.has(app_id))
        context.log.error({ error, app_id, domain_id: id }, 'a route cannot be read');
      unreadable.add(app_id);
      return { ...rest, route: 'unreadable', changesAt: null };
    }
  });
}

interface Owned {
  domain: RoutedDomain;
  app: App;
  account: Account;
}

function routeOf(context: Context, owned: Owned, now: Instant): FoundRoute {
  const { domain, app } = owned;
  if (domain.status === 'held') return 'held';
  if (domain.status === 'deleted' || !isValid(domain.certificate, now)) return null;
  return {
    domain_id: domain.id,
    app_id: domain.app_id,
    hostname: domain.hostname,
    origin: originOf(context, owned, now),
    origin_headers: domain.origin_headers,
    signing_secret: openAcceptedSecret(context, app),
    redirectTo: null,
  };
}

/**
 * Returns the origin of a route. Ignores the domain's own origin if the plan no longer includes such origins. Only a test domain without an
 * origin gets the sandbox origin.
 */
function originOf(context: Context, { domain, app, account }: Owned, now: Instant): RouteOrigin | null {
  if (domain.mode === 'host') return { kind: 'connect' };
  const { per_domain_origin } = effectivePlan(account, context.settings.plans, now);
  const url = (per_domain_origin ? domain.origin : null) ?? app.origin_url;
  if (url !== null) return { kind: 'app', url };
  return domain.mode === 'test' ? { kind: 'sandbox' } : null;
}

/** Returns the next time at which the result of `routeOf` may change. */
function nextChange({ domain: { certificate }, app, account }: Owned, now: Instant): Instant | null {
  const moments = [
    certificate?.not_before,
    certificate?.not_after,
    app.previous_valid_until,
    onTrial(account, now) ? account.trial_ends_at : null,
  ].filter((moment): moment is Instant => typeof moment === 'number' && moment > now);
  return moments.length === 0 ? null : Math.min(...moments);
}
