import * as z from 'zod';
import { readDuration } from '../../shared/core/instant.ts';
import { LIMITS } from '../../shared/core/limits.ts';
import { EVENT_TYPES } from '../../shared/core/webhooks/event.ts';
import { type Chaos, HOSTILE, NO_CHAOS } from './faults.ts';

/** The field types of `PUT /_emulator/chaos`. An omitted field has the preset's value. Without a preset, the field's fault is off. */
const share = z.number().min(0).max(1).optional();
const duration = z
  .string()
  .refine((text) => readDuration(text) !== null, 'must be a duration such as 2s, 250ms or 1m30s')
  .optional();
const skew = z
  .string()
  .refine(
    (text) => readDuration(text.replace(/^-/, '')) !== null,
    'must be a duration such as 90s, or -10m for the past',
  )
  .optional();

export const chaosSchema = z.strictObject({
  preset: z.literal('hostile').optional(),
  fail: share,
  timeout: share,
  duplicate: share,
  reorder: share,
  bad_signature: share,
  old_signature: share,
  delay: duration,
  skew,
  types: z.array(z.enum(EVENT_TYPES)).min(1).optional(),
  domains: z.array(z.string().min(1).max(LIMITS.hostname_chars_max)).min(1).optional(),
  api: z
    .strictObject({ rate_limited: share, internal_error: share, slow: share, delay: duration })
    .optional(),
  seed: z.int().min(0).max(0xffff_ffff).optional(),
});
export type ChaosInput = z.input<typeof chaosSchema>;

/** Converts a parsed request body of `chaosSchema` to the faults to inject. */
export function toChaos({ preset, delay, skew, api = {}, ...given }: ChaosInput): Chaos {
  const base = preset === 'hostile' ? HOSTILE : NO_CHAOS;
  const { delay: apiDelay, ...apiGiven } = api;
  return {
    ...base,
    ...defined(given),
    ...(delay !== undefined && { delay_ms: readDuration(delay) ?? 0 }),
    ...(skew !== undefined && { skew_ms: signed(skew) }),
    api: {
      ...base.api,
      ...defined(apiGiven),
      ...(apiDelay !== undefined && { delay_ms: readDuration(apiDelay) ?? 0 }),
    },
  };
}

function signed(text: string): number {
  const lengthMs = readDuration(text.replace(/^-/, '')) ?? 0;
  return text.startsWith('-') ? -lengthMs : lengthMs;
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function defined<T extends object>(fields: T): Partial<Defined<T>> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<Defined<T>>;
}
