import type { App, OriginStatusReason } from '../../core/apps/app.ts';
import { ServiceError } from '../../core/errors.ts';
import type { AppId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { LIMITS } from '../../core/limits.ts';
import { type OriginUrl, parseOriginUrl } from '../../core/net/origin-url.ts';
import type { OutboundError } from '../../core/webhooks/delivery.ts';
import type { OutboundResult } from '../../ports/outbound.ts';
import { findApp, lockApp, updateApp } from '../../store/accounts/apps.ts';
import { insertOriginProbe, type OriginProbe } from '../../store/accounts/origin-probes.ts';
import { findRoutedDomains } from '../../store/domains/routes.ts';
import { type Context, transact } from '../context.ts';

export type Probe =
  | { reachable: true; statusCode: number; latencyMs: number }
  | { reachable: false; statusCode: number | null; latencyMs: number; reason: OriginStatusReason };

const REASON_OF: Record<OutboundError, OriginStatusReason> = {
  url_not_allowed: 'origin_not_allowed',
  dns_failed: 'origin_dns_failed',
  timeout: 'origin_timeout',
  tls_error: 'origin_tls_error',
  connection_failed: 'origin_connection_failed',
};

/**
 * Requests `/` of an origin, follows up to 5 redirects, and checks the address of each target. If the status of the response is below 500,
 * the origin is reachable (`docs/origins.md`).
 */
export async function probeOrigin(context: Context, originUrl: string): Promise<Probe> {
  let url = new URL('/', originUrl);
  let latencyMs = 0;
  for (let redirects = 0; ; redirects++) {
    const result = await context.outbound.send({
      method: 'GET',
      url: url.href,
      headers: { 'user-agent': context.settings.names.probe_user_agent, accept: '*/*' },
      timeoutMs: LIMITS.probe_timeout_ms,
      maxResponseBytes: LIMITS.webhook_answer_bytes_max,
    });
    latencyMs += result.response_ms;
    if (!result.ok)
      return { reachable: false, statusCode: null, latencyMs, reason: REASON_OF[result.problem] };
    const { status_code: statusCode } = result;
    const refused = (reason: OriginStatusReason): Probe => ({
      reachable: false,
      statusCode,
      latencyMs,
      reason,
    });
    if (statusCode >= 500) return refused('origin_http_error');
    if (![301, 302, 303, 307, 308].includes(statusCode)) return { reachable: true, statusCode, latencyMs };
    if (redirects === LIMITS.probe_redirects_max) return refused('origin_too_many_redirects');
    const target = redirectTarget(context, url, result);
    if (target === null) return refused('origin_bad_redirect');
    url = target;
  }
}

/** Returns the fields of an app that a probe changes (`docs/api.md#app`). */
export function probeFields(app: Pick<App, 'origin_failures'>, probe: Probe, now: Instant) {
  return probe.reachable
    ? {
        origin_reachable: true,
        origin_latency_ms: Math.round(probe.latencyMs),
        origin_checked_at: now,
        origin_status_reason: null,
        origin_failures: 0,
      }
    : {
        origin_reachable: false,
        origin_checked_at: now,
        origin_status_reason: probe.reason,
        origin_failures: app.origin_failures + 1,
      };
}

/** Returns the entry for a probe in the history that the dashboard shows. */
export function storedProbe(probe: Probe, now: Instant): OriginProbe {
  return {
    at: now,
    status_code: probe.statusCode,
    latency_ms: Math.round(probe.latencyMs),
    reason: probe.reachable ? null : probe.reason,
  };
}

/** Runs the scheduled probe of an app's origin. @returns when the next probe is due, or null if the app has no origin. */
export async function probeAppOrigin(context: Context, appId: AppId): Promise<Instant | null> {
  const app = await findApp(context.store, appId);
  if (app === null || app.origin_url === null) return null;
  const probe = await probeOrigin(context, app.origin_url);
  return transact(context, async (tx) => {
    const current = await lockApp(tx.store, appId);
    const now = tx.clock.now();
    // If the app got a new origin during the probe, drop this result. The request that set the new origin has probed it.
    if (current.origin_url === app.origin_url) {
      await updateApp(tx.store, appId, probeFields(current, probe, now));
      await insertOriginProbe(tx.store, appId, storedProbe(probe, now));
    }
    return now + LIMITS.probe_every_ms;
  });
}

/**
 * Returns the target of a redirect, or null if the target is not allowed. The target must be HTTPS or, if loopback is allowed, a valid
 * origin.
 */
function redirectTarget(context: Context, from: URL, result: OutboundResult & { ok: true }): URL | null {
  const location = result.headers['location'];
  if (typeof location !== 'string' || !URL.canParse(location, from.href)) return null;
  const target = new URL(location, from);
  if (target.protocol !== 'https:' && !(context.settings.allowLoopback && isOrigin(context, target)))
    return null;
  return target.username === '' && target.password === '' ? target : null;
}

function isOrigin(context: Context, url: URL): boolean {
  try {
    parseOriginUrl(url.origin, context.settings);
    return true;
  } catch {
    return false; // The only error is origin_not_allowed: plain HTTP to somewhere that is not loopback.
  }
}

/**
 * Parses an origin that a customer gave and checks its addresses (`docs/api.md#apps`). A name that does not resolve is allowed, because the
 * customer may create the name next. The probe reports such a name.
 * @throws ServiceError `origin_not_allowed`.
 */
export async function checkOrigin(context: Context, appId: AppId, input: string): Promise<OriginUrl> {
  const origin = parseOriginUrl(input, context.settings);
  const { hostname } = new URL(origin);
  // Refuses the hostname only if a domain of another app is routed there. Any app can add any hostname, which must not block the owner.
  const [holder] = await findRoutedDomains(context.store, [hostname]);
  if (holder !== undefined && holder.app_id !== appId) {
    throw new ServiceError('origin_not_allowed', {
      message: `${hostname} is a domain of another app and cannot be an origin.`,
    });
  }
  if ((await context.outbound.check(hostname)) === 'not_allowed') {
    throw new ServiceError('origin_not_allowed', {
      message: `${hostname} resolves to an address that is private, loopback, link-local, CGNAT or reserved.`,
    });
  }
  return origin;
}
