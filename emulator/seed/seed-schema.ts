import * as z from 'zod';
import { LIMITS } from '../../shared/core/limits.ts';
import { REASON_CODES, type ReasonCode } from '../../shared/core/reasons.ts';
import { EVENT_TYPES } from '../../shared/core/webhooks/event.ts';
import { readFields } from '../../shared/http/read-fields.ts';
import {
  apexRedirectSchema,
  jsonObject,
  modeSchema,
  nameSchema,
  statusSchema,
} from '../../shared/schema/common.ts';
import { accountSchema } from '../state/account-schema.ts';

const DELIVERIES = ['pending', 'delivered', 'failed'] as const;

/** What a seed file holds (`docs/emulator.md`): the emulator is made to be so. A key that is not known is a slip, and says so. */
const appFields = {
  origin_url: z.string().min(1).max(LIMITS.url_chars_max).nullable().optional(),
  webhook_url: z.string().min(1).max(LIMITS.url_chars_max).nullable().optional(),
  apex_redirect_default: apexRedirectSchema.optional(),
};

const appName = nameSchema.describe('The name of an app in `apps`; the default app without it').optional();
const hostname = z.string().min(1).max(LIMITS.hostname_body_chars_max);

const appSeed = z
  .strictObject({ name: nameSchema, account: accountSchema.optional(), ...appFields })
  .describe('Another account with its app: of who sees what');

const domainSeed = z.strictObject({
  hostname: hostname.describe('Such as careers.acme.com'),
  app: appName,
  mode: modeSchema.default('test'),
  status: statusSchema
    .optional()
    .describe(
      'Brought about by the shortest way through the state machine; without it the domain only exists',
    ),
  status_reason: z
    .enum(REASON_CODES as readonly [ReasonCode, ...ReasonCode[]])
    .optional()
    .describe('Why it is not active; needs a status'),
  origin: z.string().min(1).max(LIMITS.url_chars_max).nullable().optional(),
  apex_redirect: apexRedirectSchema.optional(),
  metadata: jsonObject<unknown>({}).nullable().optional(),
  origin_headers: jsonObject<string>({ type: 'string' }).nullable().optional(),
});

const eventSeed = z.strictObject({
  hostname: hostname.describe('Of a domain in `domains`'),
  app: appName,
  type: z.enum(EVENT_TYPES),
  delivery: z
    .enum(DELIVERIES)
    .optional()
    .describe(
      'pending: sent from now on. delivered, failed: as if it had been. Without it: written and not sent',
    ),
  attempts: z
    .int()
    .min(0)
    .max(8)
    .optional()
    .describe('Made so far, the last of them with status_code: 8 for failed, 1 for delivered, 0 for pending'),
  status_code: z.int().min(100).max(599).optional().describe('The last answer: 500 where it failed'),
});

export const seedSchema = z.strictObject({
  $schema: z.string().optional().describe('Of this document, for an editor'),
  account: accountSchema.optional().describe('Of the default app'),
  app: z
    .strictObject({ name: nameSchema.optional(), ...appFields })
    .optional()
    .describe('The default app'),
  apps: z.array(appSeed).optional(),
  domains: z.array(domainSeed).optional(),
  events: z.array(eventSeed).optional().describe('In the order in which they happen to their domains'),
});

/** As it is written. */
export type Seed = z.input<typeof seedSchema>;
/** As it is read: with defaults. */
export type ReadSeed = z.output<typeof seedSchema>;
export type DomainSeed = NonNullable<ReadSeed['domains']>[number];
export type EventSeed = NonNullable<ReadSeed['events']>[number];
export type AppSeed = NonNullable<ReadSeed['apps']>[number];

/** @throws ServiceError `validation_failed` whose fields are places in the seed. */
export function readSeed(value: unknown): ReadSeed {
  return readFields(seedSchema, value) as ReadSeed;
}

/** The JSON Schema of a seed file, which editors complete and check with. */
export function seedJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(seedSchema, { io: 'input' });
  return { $schema, title: 'A seed of the Nameplate emulator', ...schema };
}
