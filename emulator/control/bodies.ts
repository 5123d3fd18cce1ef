import * as z from 'zod';
import { PLAN_NAMES } from '../../shared/core/accounts/plan.ts';
import { MANUAL_TRIGGERS, type ManualTrigger } from '../../shared/core/domains/transitions.ts';
import { ERRORS, type ErrorCode } from '../../shared/core/errors.ts';
import { readDuration } from '../../shared/core/instant.ts';
import { LIMITS } from '../../shared/core/limits.ts';
import { instantSchema } from '../state/account-schema.ts';
import { CLOCK_MODES } from '../time/adjustable-clock.ts';

/** The request bodies of the control surface (`docs/emulator.md`). Unknown keys are refused, because they are probably typos. */
export const durationSchema = z.string().transform((text, context) => {
  const durationMs = readDuration(text);
  if (durationMs !== null) return durationMs;
  context.addIssue('must be a duration such as 72h, 90d, 10s or 250ms');
  return z.NEVER;
});

export const clockSchema = z.strictObject({ mode: z.enum(CLOCK_MODES) });

export const advanceSchema = z.union(
  [
    z.strictObject({ by: durationSchema }).transform(({ by }) => ({ by_ms: by })),
    z.strictObject({ to: instantSchema }),
    z.strictObject({ until: z.enum(['idle', 'next']) }),
  ],
  { error: 'must be {"by": "72h"}, {"to": "<RFC 3339>"} or {"until": "idle" | "next"}' },
);

export const newAppSchema = z.strictObject({
  name: z.string().min(1).max(LIMITS.name_chars_max),
  plan: z.enum(PLAN_NAMES).optional(),
});

export const triggerSchema = z.strictObject({
  trigger: z.enum(MANUAL_TRIGGERS as [ManualTrigger, ...ManualTrigger[]]),
  reason: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be a reason code, such as dns_record_missing')
    .optional(),
});

export const whitelabelSchema = z.strictObject({
  found: z.string().min(1).max(LIMITS.hostname_chars_max).nullable(),
});

export const errorsSchema = z.strictObject({
  code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]),
  path: z.string().startsWith('/').max(1024).optional(),
  times: z.int().min(1).max(1000).default(1),
});

export const holdSchema = z.strictObject({
  hostname: z.string().min(1).max(LIMITS.hostname_body_chars_max),
  reason: z.string().max(1000).optional(),
});

export const expectSchema = z.strictObject({
  expect: z.string().min(1).max(1000),
  within: durationSchema.default(30_000),
});

export const emptySchema = z.strictObject({});
