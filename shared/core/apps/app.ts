import type { ApexRedirect } from '../domains/status.ts';
import type { AccountId, AppId } from '../ids.ts';
import type { Instant } from '../instant.ts';
import type { Brand } from './brand.ts';

/** Reasons why a probe of the origin failed: the values of `origin_status_reason` (`docs/api.md#app`). */
export const ORIGIN_STATUS_REASONS = [
  'origin_not_allowed',
  'origin_dns_failed',
  'origin_timeout',
  'origin_tls_error',
  'origin_connection_failed',
  'origin_http_error',
  'origin_too_many_redirects',
  'origin_bad_redirect',
] as const;
export type OriginStatusReason = (typeof ORIGIN_STATUS_REASONS)[number];

/** An app as it is stored: `docs/api.md#app`, with the signing secrets encrypted. */
export interface App extends Brand {
  id: AppId;
  account_id: AccountId;
  name: string;
  origin_url: string | null;
  origin_reachable: boolean;
  origin_latency_ms: number | null;
  origin_checked_at: Instant | null;
  origin_status_reason: string | null;
  /** Number of consecutive failed probes. */
  origin_failures: number;
  webhook_url: string | null;
  /** Number of times that `webhook_url` was cleared. An event stores this number, and a pending event with a lower number is cancelled. */
  webhook_epoch: number;
  whitelabel_host: string | null;
  whitelabel_verified: boolean;
  whitelabel_found: string | null;
  whitelabel_set_at: Instant | null;
  whitelabel_checked_at: Instant | null;
  whitelabel_grace_ends_at: Instant | null;
  target_label: string;
  apex_redirect_default: ApexRedirect;
  /** Whether the app's domains may be active behind a proxy. */
  allow_proxied: boolean;
  signing_secret: string;
  previous_signing_secret: string | null;
  previous_valid_until: Instant | null;
  created_at: Instant;
}

/** The fields of an app that determine the CNAME targets of its customers. */
export type AddressingApp = Pick<
  App,
  'id' | 'account_id' | 'target_label' | 'whitelabel_host' | 'whitelabel_verified'
>;

/** The fields of an app that are needed to send its webhooks. */
export type WebhookApp = Pick<
  App,
  | 'id'
  | 'webhook_url'
  | 'webhook_epoch'
  | 'signing_secret'
  | 'previous_signing_secret'
  | 'previous_valid_until'
>;

/** Returns the app's own CNAME target, `<label>.<edge zone>`. It is unique, so a leftover record never verifies a domain of another app. */
export function cnameTarget(app: Pick<App, 'target_label'>, edgeZone: string): string {
  return `${app.target_label}.${edgeZone}`;
}

/** The CNAME targets of an app's customers. */
export interface CustomerTargets {
  /** `<label>.<edge zone>`, which only this app has. */
  ownTarget: string;
  /** The app's white-label host, if it is verified and the plan includes it; else null. */
  host: string | null;
}

/**
 * Returns the CNAME target of a name: the white-label host, if there is one. The white-label host itself must point to the app's own
 * target.
 */
export function customerTarget({ ownTarget, host }: CustomerTargets, name: string): string {
  return host === null || host === name ? ownTarget : host;
}

/**
 * Returns the encrypted signing secrets that are valid now: both of them during a rotation (`docs/api.md#authentication`). `accepted` is
 * the secret that origins already know. Only this secret signs requests to origins.
 */
export function sealedSecrets(app: WebhookApp, now: Instant): { accepted: string; all: readonly string[] } {
  const previous = app.previous_signing_secret;
  const overlapping =
    previous !== null && app.previous_valid_until !== null && now < app.previous_valid_until;
  return overlapping
    ? { accepted: previous, all: [app.signing_secret, previous] }
    : { accepted: app.signing_secret, all: [app.signing_secret] };
}
