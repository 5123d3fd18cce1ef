import * as z from 'zod';
import { systemClock } from '../../shared/adapters/system-clock.ts';
import type { Instant } from '../../shared/core/instant.ts';
import { AdjustableClock, CLOCK_MODES, END_OF_TIME } from '../time/adjustable-clock.ts';
import type { EmulatorFacts } from './emulator-facts.ts';

/** Schema of `emulator_facts` in an imported state. */
export const factsSchema = z.object({
  clock: z
    .object({ mode: z.enum(CLOCK_MODES), offset_ms: z.int(), frozen_at: z.int().nullable() })
    .refine(({ mode, frozen_at }) => (mode === 'frozen') === (frozen_at !== null), {
      error: 'clock.frozen_at must be set if the mode is frozen, and null otherwise',
    })
    .refine((state) => isWritable(new AdjustableClock(systemClock, state).now()), {
      error: 'clock must give a time from 1970 to 9999',
    }),
  encryption_key: z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'encryption_key must be 32 bytes in base64'),
  app_id: z.string(),
  cnames: z.record(z.string(), z.string().nullable()),
  id_run: z.int().min(0).nullish(),
}) satisfies z.ZodType<EmulatorFacts>;

/** True for a time from 1970 to 9999. RFC 3339 cannot represent years after 9999. */
function isWritable(now: Instant): boolean {
  return now >= 0 && now <= END_OF_TIME;
}
