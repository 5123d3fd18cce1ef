import type { App } from '../../../shared/core/apps/app.ts';
import { makeId } from '../../../shared/core/ids.ts';
import { T0 } from '../domains/sample-domain.ts';

/** Creates a sample app that has just been created at `T0`, without an origin, a webhook URL or a brand. */
export function sampleApp(fields: Partial<App> = {}): App {
  return {
    id: makeId('app', T0, new Uint8Array(10)),
    account_id: makeId('acc', T0, new Uint8Array(10)),
    name: 'Acme',
    origin_url: null,
    origin_reachable: false,
    origin_latency_ms: null,
    origin_checked_at: null,
    origin_status_reason: null,
    origin_failures: 0,
    webhook_url: null,
    webhook_epoch: 0,
    whitelabel_host: null,
    whitelabel_verified: false,
    whitelabel_found: null,
    whitelabel_set_at: null,
    whitelabel_checked_at: null,
    whitelabel_grace_ends_at: null,
    target_label: '0123456789abcdef',
    brand_color: null,
    brand_logo: null,
    support_url: null,
    return_url: null,
    apex_redirect_default: 'none',
    allow_proxied: true,
    signing_secret: 'sealed',
    previous_signing_secret: null,
    previous_valid_until: null,
    created_at: T0,
    ...fields,
  };
}
