import * as z from 'zod';
import { ORIGIN_STATUS_REASONS } from '../core/apps/app.ts';
import { LIMITS } from '../core/limits.ts';
import { apexRedirectSchema, nameSchema, nullableTimestamp, openList, timestampSchema } from './fields.ts';

const allowProxiedSchema = z
  .boolean()
  .describe('Whether domains may be active behind a proxy or CDN that passes requests on to the service');

/** An app (`docs/api.md#app`). */
export const appSchema = z
  .object({
    id: z.string().describe('`app_…`'),
    name: z.string().describe('Name of the app'),
    origin_url: z.string().nullable().describe('Where requests for every customer domain are forwarded'),
    origin_reachable: z.boolean().describe('Result of the latest probe'),
    origin_latency_ms: z.int().nullable().describe('Latency of the latest successful probe'),
    origin_checked_at: nullableTimestamp.describe('When the origin was last probed'),
    origin_status_reason: z
      .string()
      .nullable()
      .meta(openList(ORIGIN_STATUS_REASONS, 'Why the latest probe failed.')),
    origin_unreachable: z.boolean().describe('True after 3 consecutive failed probes'),
    webhook_url: z.string().nullable().describe('Where an event is posted on every state change'),
    whitelabel_host: z
      .string()
      .nullable()
      .describe("The app's own hostname that customers' records point to"),
    whitelabel_verified: z.boolean().describe('Whether its CNAME chain reaches whitelabel_target'),
    whitelabel_target: z.string().describe('What the CNAME of whitelabel_host must point to'),
    whitelabel_status_reason: z
      .string()
      .nullable()
      .describe(
        '`whitelabel_unverified` while the host is set and its CNAME chain does not reach the target',
      ),
    whitelabel_found: z
      .string()
      .nullable()
      .describe('The CNAME found at the last check, if the host is not verified'),
    whitelabel_checked_at: nullableTimestamp.describe('When whitelabel_host was last checked'),
    whitelabel_grace_ends_at: nullableTimestamp.describe(
      'Set if a verified host has broken, or the plan no longer includes white-label. At this time, domains routed through it become dns_broken',
    ),
    apex_redirect_default: apexRedirectSchema,
    brand_color: z.string().nullable().describe('Accent of the connect page, `#rrggbb`'),
    brand_logo: z.string().nullable().describe('Logo on the connect page, a PNG as a `data:` URL'),
    support_url: z
      .string()
      .nullable()
      .describe('Where the app helps its customers: an https URL or `mailto:`'),
    return_url: z.string().nullable().describe('Where a customer goes back to from the connect page'),
    allow_proxied: allowProxiedSchema,
    created_at: timestampSchema,
  })
  .meta({ id: 'App' });
export type AppResource = z.infer<typeof appSchema>;

/** Maximum length of a logo's `data:` URL: the prefix, and 32 KiB in base64. */
const BRAND_LOGO_CHARS_MAX = 44_000;

function brandText(charsMax: number) {
  return z.string().min(1).max(charsMax).nullable();
}

/** The body of PATCH /v1/apps/current (`docs/api.md#apps`). */
export const updateAppSchema = z
  .object({
    name: nameSchema,
    origin_url: z.string().min(1).max(LIMITS.url_chars_max).describe('https, scheme and host only'),
    webhook_url: z
      .string()
      .min(1)
      .max(LIMITS.url_chars_max)
      .nullable()
      .describe('Public https URL; null turns webhooks off'),
    whitelabel_host: z
      .string()
      .min(1)
      .max(LIMITS.hostname_chars_max)
      .nullable()
      .describe(
        'Needs a plan with white-label, by default Growth and above, or the trial; null turns white-label off',
      ),
    apex_redirect_default: apexRedirectSchema,
    brand_color: brandText(7).describe(
      'Accent of the connect page, `#rrggbb`, with a contrast of 4.5:1 or more; null for the default',
    ),
    brand_logo: brandText(BRAND_LOGO_CHARS_MAX).describe(
      'PNG as `data:image/png;base64,…`, at most 32 KiB and 1024 pixels wide and high; null for none',
    ),
    support_url: brandText(LIMITS.url_chars_max).describe(
      'https URL, or `mailto:` with an address; null for none',
    ),
    return_url: brandText(LIMITS.url_chars_max).describe('https URL; null for none'),
    allow_proxied: allowProxiedSchema,
  })
  .partial()
  .meta({ id: 'UpdateApp' });
export type UpdateApp = z.infer<typeof updateAppSchema>;

/** The response of a rotation of the signing secret (`docs/api.md#apps`). */
export const rotatedSecretSchema = z
  .object({
    signing_secret: z.string().describe('`whsec_…`. Only this response contains it'),
    previous_valid_until: timestampSchema.describe('The previous secret stays valid until then'),
  })
  .meta({ id: 'RotatedSigningSecret' });
export type RotatedSecret = z.infer<typeof rotatedSecretSchema>;
