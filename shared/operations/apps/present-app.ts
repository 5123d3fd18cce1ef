import { type App, cnameTarget } from '../../core/apps/app.ts';
import { timestamp } from '../../core/instant.ts';
import { LIMITS } from '../../core/limits.ts';
import type { AppResource } from '../../schema/app.ts';
import { getApp } from '../../store/accounts/apps.ts';
import type { Answer, Caller, Context } from '../context.ts';

/** Returns an app in the form of the API (`docs/api.md#app`). */
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
