import { LRUCache } from 'lru-cache';
import { type App, cnameTarget } from '../../core/apps/app.ts';
import type { Mode, Status } from '../../core/domains/status.ts';
import type { AccountId, AppId } from '../../core/ids.ts';
import { DAY_MS, timestamp } from '../../core/instant.ts';
import { LIMITS } from '../../core/limits.ts';
import type { AppResource } from '../../schema/app.ts';
import { countByStatus, countDeliveries, wasKeyUsed } from '../../store/accounts/app-overview.ts';
import { getApp } from '../../store/accounts/apps.ts';
import type { Store } from '../../store/store.ts';
import type { Answer, Caller, Context } from '../context.ts';

/** Returns the JSON of an app (`docs/api.md#app`). */
export function presentApp(context: Context, app: App): AppResource {
  const unverified = app.whitelabel_host !== null && !app.whitelabel_verified;
  return {
    id: app.id,
    name: app.name,
    origin_url: app.origin_url,
    origin_reachable: app.origin_reachable,
    origin_latency_ms: app.origin_latency_ms,
    origin_checked_at: timestamp(app.origin_checked_at),
    origin_status_reason: app.origin_status_reason,
    origin_unreachable: app.origin_failures >= LIMITS.probe_failures_unreachable,
    webhook_url: app.webhook_url,
    whitelabel_host: app.whitelabel_host,
    whitelabel_verified: app.whitelabel_verified,
    whitelabel_target: cnameTarget(app, context.settings.edgeZone),
    whitelabel_status_reason: unverified ? 'whitelabel_unverified' : null,
    whitelabel_found: unverified ? app.whitelabel_found : null,
    whitelabel_checked_at: timestamp(app.whitelabel_checked_at),
    whitelabel_grace_ends_at: timestamp(app.whitelabel_grace_ends_at),
    apex_redirect_default: app.apex_redirect_default,
    brand_color: app.brand_color,
    brand_logo: app.brand_logo,
    support_url: app.support_url,
    return_url: app.return_url,
    allow_proxied: app.allow_proxied,
    created_at: timestamp(app.created_at),
  };
}

/** `docs/api.md#apps`: GET /v1/apps/current. */
export async function getCurrentApp(context: Context, caller: Caller): Promise<Answer<AppResource>> {
  return { status: 200, body: presentApp(context, await getApp(context.store, caller.app_id)) };
}

/** The counts that the dashboard's home page shows for one mode of an app. */
interface ModeCounts {
  by_status: Partial<Record<Status, number>>;
  failed_deliveries_24h: number;
}

/** Returns an app's counts of domains and failed deliveries in both modes, and which setup steps the app has completed. */
export async function getAppOverview(context: Context, appId: AppId) {
  const { store, clock } = context;
  const since = clock.now() - DAY_MS;
  let hasDelivered = false;
  const countsOf = async (mode: Mode): Promise<ModeCounts> => {
    const deliveries = await countDeliveries(store, appId, mode, since);
    hasDelivered ||= (deliveries['delivered'] ?? 0) > 0;
    if (!hasDelivered) hasDelivered = ((await countDeliveries(store, appId, mode, 0))['delivered'] ?? 0) > 0;
    return {
      by_status: await countByStatus(store, appId, mode),
      failed_deliveries_24h: deliveries['failed'] ?? 0,
    };
  };
  const [live, test] = [await countsOf('live'), await countsOf('test')];
  const hasKeyUsed = await wasKeyUsed(store, appId);
  return { live, test, has_key_used: hasKeyUsed, has_delivered_event: hasDelivered };
}

/**
 * Returns a function that finds the account of an app, because requests to the app's pages use the account's share of the database. The
 * function caches the result, because an app always stays in its account.
 */
export function createAccountFinder(store: Store): (appId: AppId) => Promise<AccountId> {
  const known = new LRUCache<AppId, AccountId>({ max: 10_000 });
  return async (appId) => {
    const found = known.get(appId) ?? (await getApp(store, appId)).account_id;
    known.set(appId, found);
    return found;
  };
}
