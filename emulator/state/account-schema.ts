import * as z from 'zod';
import { systemClock } from '../../shared/adapters/system.ts';
import { PLAN_NAMES } from '../../shared/core/accounts/plan.ts';
import type { Instant } from '../../shared/core/instant.ts';
import { CLOCK_MODES, createAdjustableClock, END_OF_TIME } from '../time/adjustable-clock.ts';
import type { EmulatorFacts } from './emulator-facts.ts';

export const instantSchema = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** The account fields that a test can set in the emulator. In the hosted service, only billing and the operator set them. */
export const accountSchema = z.strictObject({
  plan: z.enum(PLAN_NAMES).optional(),
  trial_ends_at: instantSchema.nullable().optional(),
  promotional: z.boolean().optional(),
  card_on_file: z.boolean().optional(),
  suspended: z.boolean().optional(),
  created_at: instantSchema.optional(),
});

/** The schema of the table `emulator_facts` in an imported state. */
export const factsSchema = z.object({
  clock: z
    .object({ mode: z.enum(CLOCK_MODES), offset_ms: z.int(), frozen_at: z.int().nullable() })
    .refine(({ mode, frozen_at }) => (mode === 'frozen') === (frozen_at !== null), {
      error: 'clock.frozen_at must be set if the mode is frozen, and null otherwise',
    })
    .refine((state) => isWritable(createAdjustableClock(systemClock, state).now()), {
      error: 'clock must give a time from 1970 to 9999',
    }),
  encryption_key: z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'encryption_key must be 32 bytes in base64'),
  app_id: z.string(),
  cnames: z.record(z.string(), z.string().nullable()),
  id_run: z.int().min(0).nullish(),
}) satisfies z.ZodType<EmulatorFacts>;

/** Returns true for a time from 1970 to 9999. RFC 3339 cannot represent years after 9999. */
function isWritable(now: Instant): boolean {
  return now >= 0 && now <= END_OF_TIME;
}
