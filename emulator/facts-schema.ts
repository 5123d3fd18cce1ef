import * as z from 'zod';
import { CLOCK_MODES, END_OF_TIME } from './adjustable-clock.ts';
import type { EmulatorFacts } from './emulator-facts.ts';

/** What `emulator_facts` must hold where a state is imported. */
export const factsSchema = z.object({
  clock: z.object({
    mode: z.enum(CLOCK_MODES),
    offset_ms: z.int().max(END_OF_TIME),
    frozen_at: z.int().min(0).max(END_OF_TIME).nullable(),
  }),
  encryption_key: z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'encryption_key must be 32 bytes in base64'),
  app_id: z.string(),
  cnames: z.record(z.string(), z.string().nullable()),
  id_run: z.int().min(0).nullish(),
}) satisfies z.ZodType<EmulatorFacts>;
