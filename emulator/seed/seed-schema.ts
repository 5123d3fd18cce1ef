import * as z from 'zod';
import { LIMITS } from '../../shared/core/limits.ts';
import { REASON_CODES, type ReasonCode } from '../../shared/core/reasons.ts';
import { ATTEMPTS_MAX } from '../../shared/core/webhooks/delivery.ts';
import { EVENT_TYPES } from '../../shared/core/webhooks/event.ts';
import { readFields } from '../../shared/http/read-fields.ts';
import {
  apexRedirectSchema,
  jsonObject,
  modeSchema,
  nameSchema,
  statusSchema,
} from '../../shared/schema/fields.ts';
import { accountSchema } from '../state/account-schema.ts';

const DELIVERIES = ['pending', 'delivered', 'failed'] as const;

/** The content of a seed file (`docs/emulator.md`). Unknown keys are refused, because they are probably typos. */
const appFields = {
  origin_url: z.string().min(1).max(LIMITS.url_chars_max).nullable().optional(),
  webhook_url: z.string().min(1).max(LIMITS.url_chars_max).nullable().optional(),
  apex_redirect_default: apexRedirectSchema.optional(),
};

const appName = nameSchema.describe('Name of an app in `apps`; the default app if omitted').optional();
const hostname = z.string().min(1).max(LIMITS.hostname_body_chars_max);

const appSeed = z
  .strictObject({ name: nameSchema, account: accountSchema.optional(), ...appFields })
  .describe('Another account with its app, to test that accounts cannot see each other');

const domainSeed = z.strictObject({
  hostname: hostname.describe('For example careers.acme.com'),
  app: appName,
  mode: modeSchema.default('test'),
  status: statusSchema
    .optional()
    .describe(
      'Reached by the shortest path through the state machine; if omitted, the domain is only created',
    ),
  status_reason: z
    .enum(REASON_CODES as readonly [ReasonCode, ...ReasonCode[]])
    .optional()
    .describe('Why the domain is not active; needs a status'),
  origin: z.string().min(1).max(LIMITS.url_chars_max).nullable().optional(),
  apex_redirect: apexRedirectSchema.optional(),
  metadata: jsonObject<unknown>({}).nullable().optional(),
  origin_headers: jsonObject<string>({ type: 'string' }).nullable().optional(),
});

const eventSeed = z.strictObject({
  hostname: hostname.describe('Hostname of a domain in `domains`'),
  app: appName,
  type: z.enum(EVENT_TYPES),
  delivery: z
    .enum(DELIVERIES)
    .optional()
    .describe(
      'pending: sent from now on. delivered, failed: recorded as such. If omitted: recorded and not sent',
    ),
  attempts: z
    .int()
    .min(0)
    .max(ATTEMPTS_MAX)
    .optional()
    .describe(
      `Attempts so far, the last with status_code. Default: ${ATTEMPTS_MAX} for failed, 1 for delivered, 0 for pending`,
    ),
  status_code: z
    .int()
    .min(100)
    .max(599)
    .optional()
    .describe('Status code of the last response; 500 by default if it failed'),
});

export const seedSchema = z.strictObject({
  $schema: z.string().optional().describe('URL of this schema, for editors'),
  account: accountSchema.optional().describe('Account of the default app'),
  app: z
    .strictObject({ name: nameSchema.optional(), ...appFields })
    .optional()
    .describe('The default app'),
  apps: z.array(appSeed).optional(),
  domains: z.array(domainSeed).optional(),
  events: z.array(eventSeed).optional().describe('Past events, in the order in which they happened'),
});

/** A seed as the user writes it, with optional fields. */
export type Seed = z.input<typeof seedSchema>;
/** A parsed seed, with default values. */
export type ReadSeed = z.output<typeof seedSchema>;
export type DomainSeed = NonNullable<ReadSeed['domains']>[number];
export type EventSeed = NonNullable<ReadSeed['events']>[number];
export type AppSeed = NonNullable<ReadSeed['apps']>[number];

/** Validates a seed. @throws ServiceError `validation_failed` whose fields are paths in the seed. */
export function readSeed(value: unknown): ReadSeed {
  return readFields(seedSchema, value) as ReadSeed;
}

/** Returns the JSON Schema of a seed file, for completion and checks in editors. */
export function seedJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(seedSchema, { io: 'input' });
  return { $schema, title: 'Seed of the Nameplate emulator', ...schema };
}
