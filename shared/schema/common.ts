import { z } from 'zod';
import { LIMITS } from '../core/limits.ts';
import { APEX_REDIRECTS, MODES, STATUSES } from '../core/status.ts';

/** Shapes that several resources share. `meta({ id })` makes a named component of the OpenAPI document. */
export const timestampSchema = z.iso.datetime({ precision: 3 }).describe('RFC 3339 in UTC');
export const nullableTimestamp = timestampSchema.nullable();

export const modeSchema = z
  .enum(MODES)
  .meta({ id: 'Mode', description: 'A live key manages live domains, a test key test domains' });
export const apexRedirectSchema = z
  .enum(APEX_REDIRECTS)
  .meta({ id: 'ApexRedirect', description: 'www: `www.<apex>` is served too and redirects to the apex' });
export const statusSchema = z
  .enum(STATUSES)
  .meta({ id: 'DomainStatus', description: 'The states of a domain (section 3)' });

export const nameSchema = z.string().min(1).max(LIMITS.name_chars_max);

/** Section 4: every list endpoint. */
export function listOf<T extends z.ZodType>(item: T, id: string) {
  return z
    .object({ data: z.array(item), next_cursor: z.string().nullable() })
    .meta({ id, description: 'One page, newest first; pass next_cursor as cursor to get the next.' });
}

const wholeNumber = /^[0-9]{1,6}$/;

/** Query strings carry text: `limit` is read as a whole number of 1 to 100. */
export const limitQuery = z
  .string()
  .regex(wholeNumber, 'must be a whole number from 1 to 100')
  .transform(Number)
  .pipe(z.number().int().min(1).max(LIMITS.page_size_max))
  .default(LIMITS.page_size_default)
  .meta({ type: 'integer', minimum: 1, maximum: LIMITS.page_size_max, default: LIMITS.page_size_default });

export const cursorQuery = z.string().min(1).max(LIMITS.cursor_chars_max).optional();
