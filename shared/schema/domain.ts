import * as z from 'zod';
import { ORIGIN_HEADER_NAME } from '../core/edge/origin-headers.ts';
import { LIMITS } from '../core/limits.ts';
import {
  apexRedirectSchema,
  cursorQuery,
  jsonObject,
  limitQuery,
  listOf,
  modeSchema,
  nullableTimestamp,
  openList,
  statusSchema,
  timestampSchema,
} from './fields.ts';

/** A change to a DNS record, for programs. The `hint` describes the same change for people. */
export const recordChangeSchema = z
  .object({
    action: z.enum(['add', 'replace', 'remove']).describe('What to do with the record'),
    type: z.string().describe('Type of the record after the change; for a removal, of the record to remove'),
    zone: z.string().describe('Zone that holds the record'),
    name: z.string().describe('Name of the record, relative to `zone`; @ is the zone itself'),
    value: z.string().describe('Value after the change; for a removal, the value to remove'),
    ttl: z.int().describe('TTL in seconds'),
    of: z
      .object({
        type: z.string().describe('Type of the old record'),
        value: z.string().describe('Value of the old record'),
      })
      .nullable()
      .describe('For replace: the record that it replaces; else null'),
  })
  .meta({ id: 'RecordChange' });

const record = z.object({
  name: z.string().describe('Name of the record'),
  value: z.string().describe('Value of the record'),
});

/** A domain (`docs/api.md#domain`). */
export const domainSchema = z
  .object({
    id: z.string().describe('`dom_…`'),
    hostname: z.string().describe('Lowercase ASCII (punycode)'),
    status: statusSchema,
    status_reason: z
      .string()
      .nullable()
      .describe('Machine-readable code if the status is not active. Treat an unknown one as "see the docs"'),
    status_detail: z
      .object({
        expected: z.string().describe('What should be there'),
        found: z.string().nullable().describe('What is there; null if nothing is, or if it is not known'),
        hint: z.string().describe('What to do'),
        changes: z
          .array(recordChangeSchema)
          .readonly()
          .optional()
          .describe('The changes to records that fix it; absent if no change to records can'),
      })
      .nullable()
      .describe('The facts behind status_reason; null if there are none'),
    is_apex: z.boolean().describe('Whether the hostname is an apex domain'),
    mode: modeSchema,
    dns: z
      .object({
        cname: record.nullable().describe('The CNAME of a subdomain; null for an apex domain'),
        apex: z
          .object({
            a: z.array(z.string()).describe('IPv4 addresses'),
            aaaa: z.array(z.string()).describe('IPv6 addresses'),
            txt: record.describe('The TXT record that proves ownership'),
            www: record
              .optional()
              .describe('The CNAME of `www`, only with `apex_redirect: www`. The apex does not wait for it'),
          })
          .nullable()
          .describe('The records of an apex domain; null for a subdomain'),
        acme_challenge: record
          .nullable()
          .describe(
            'An optional CNAME that permits a certificate before the other records exist. Null if this server answers no challenges in DNS',
          ),
        www_acme_challenge: record
          .nullable()
          .describe(
            'An optional CNAME that permits the certificate to have `www` too. Null without `apex_redirect: www`',
          ),
      })
      .describe('Records to create; names are relative to the registrable domain'),
    origin: z.string().nullable().describe("The domain's own origin, which overrides the app's"),
    apex_redirect: apexRedirectSchema,
    connect_url: z.url().describe('Page that the customer opens to connect the domain'),
    ready_to_switch: z
      .boolean()
      .describe(
        'True while the domain has a certificate although its record is not confirmed: visitors see no gap when the record changes',
      ),
    certificate: z
      .object({
        issuer: z.string().describe('Certificate authority'),
        not_before: timestampSchema.describe('Start of its validity'),
        not_after: timestampSchema.describe('End of its validity'),
        renews_at: timestampSchema.describe('When Nameplate renews it'),
      })
      .nullable()
      .describe('The certificate that is served; null if there is none'),
    metadata: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('Returned on every domain object and event'),
    origin_headers: z
      .record(z.string(), z.string())
      .nullable()
      .describe('Headers that the edge adds to every request for this domain'),
    created_at: timestampSchema,
    updated_at: timestampSchema.describe('Last change of the domain'),
    last_checked_at: nullableTimestamp.describe('Last DNS check'),
    next_check_at: nullableTimestamp.describe('Next DNS check'),
  })
  .meta({ id: 'Domain' });
export type DomainResource = z.infer<typeof domainSchema>;

const WARNING_CODES = [
  'origin_ignored_by_plan',
  'existing_domain_unchanged',
  'unknown_field_ignored',
  'certificate_unlikely',
];

export const warningSchema = z
  .object({
    code: z.string().meta(openList(WARNING_CODES, 'Why a part of the request was ignored, or may not work.')),
    message: z.string().describe('Says what was ignored or may not work, for a person'),
  })
  .meta({ id: 'Warning' });
export type Warning = z.infer<typeof warningSchema>;

/** The response of create and update. It has `warnings` only if part of the request was ignored. */
export const changedDomainSchema = domainSchema
  .extend({
    warnings: z
      .array(warningSchema)
      .optional()
      .describe('The parts of the request that were ignored; absent if there are none'),
  })
  .meta({ id: 'ChangedDomain' });
export type ChangedDomain = z.infer<typeof changedDomainSchema>;

export const domainListSchema = listOf(domainSchema, 'DomainList');
export type DomainList = z.infer<typeof domainListSchema>;

const changeable = {
  origin: z
    .string()
    .min(1)
    .max(LIMITS.url_chars_max)
    .nullable()
    .optional()
    .describe(
      "The domain's own origin, on a plan that includes it: by default Scale and above. On other plans it is ignored, with a warning",
    ),
  metadata: jsonObject<unknown>({})
    .nullable()
    .optional()
    .describe(
      'Any JSON object of at most 4 KB: 4096 bytes of UTF-8 without spaces. It replaces the whole object; null removes it',
    ),
  apex_redirect: apexRedirectSchema.optional().describe('Apex domains only'),
  origin_headers: jsonObject<string>(
    { type: 'string', minLength: 1, maxLength: LIMITS.origin_header_value_chars_max },
    {
      maxProperties: LIMITS.origin_headers_max,
      propertyNames: { pattern: ORIGIN_HEADER_NAME.source, maxLength: LIMITS.origin_header_name_chars_max },
    },
  )
    .nullable()
    .optional()
    .describe(
      `Up to ${LIMITS.origin_headers_max} headers with names that start with X-, and values in printable ASCII without spaces around them. X-Forwarded- and the service's own prefix are reserved. null or {} removes all`,
    ),
};

/** The body of POST /v1/domains (`docs/api.md#domains`). */
export const createDomainSchema = z
  .object({
    hostname: z
      .string()
      .max(LIMITS.hostname_body_chars_max)
      .describe('Such as careers.acme.com. Unicode is converted to punycode'),
    ...changeable,
  })
  .meta({ id: 'CreateDomain' });
export type CreateDomain = z.infer<typeof createDomainSchema>;

/** The body of PATCH /v1/domains/{id} (`docs/api.md#domains`). */
export const updateDomainSchema = z.object(changeable).meta({ id: 'UpdateDomain' });
export type UpdateDomain = z.infer<typeof updateDomainSchema>;

/**
 * Query of GET /v1/domains (`docs/api.md#domains`). `http/read-fields.ts` collects the filters `metadata.<key>=<value>` into `metadata`.
 */
export const listDomainsQuery = z.object({
  status: statusSchema.optional().describe('Only domains in this status'),
  hostname: z
    .string()
    .min(1)
    .max(LIMITS.hostname_chars_max)
    .regex(/^[A-Za-z0-9.-]*$/, 'must have only letters, digits, dots and hyphens')
    .optional()
    .describe('Prefix of the hostname'),
  limit: limitQuery,
  cursor: cursorQuery,
  metadata: jsonObject<string>({ type: 'string' }).default({}),
});
export type ListDomainsQuery = z.infer<typeof listDomainsQuery>;

export const queuedSchema = z
  .object({ queued: z.literal(true).describe('The check is queued. Read the domain for its result') })
  .meta({ id: 'Queued' });
