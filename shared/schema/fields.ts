import * as z from 'zod';
import { APEX_REDIRECTS, MODES, STATUSES } from '../core/domains/status.ts';
import { LIMITS } from '../core/limits.ts';

/** The schema of every timestamp. In this file, `meta({ id })` makes a schema a named component of the OpenAPI document. */
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
  .meta({ id: 'DomainStatus', description: 'The state of a domain' });

/**
 * Returns the metadata for a code from a list that grows within v1. In the OpenAPI document, the known values are examples. With a closed
 * `enum`, a generated client would refuse new codes.
 */
export function openList(values: readonly string[], description: string) {
  const known = values.map((value) => `\`${value}\``).join(', ');
  return { description: `${description} Known values: ${known}. ${MORE_CAN_APPEAR}`, examples: [...values] };
}

export const MORE_CAN_APPEAR = 'More can appear.';

export const nameSchema = z.string().min(1).max(LIMITS.name_chars_max).describe('A label for people');

/**
 * Creates a schema for a JSON object that keeps every key, whereas zod's records drop `__proto__`. `shared/core` validates the values.
 * @param values the JSON Schema of the object's values.
 * @param bounds JSON Schema keywords for the object's keys and their number.
 */
export function jsonObject<T>(values: object, bounds: object = {}) {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const schema = z.unknown().refine(isObject, 'must be a JSON object');
  return schema.meta({ type: 'object', additionalProperties: values, ...bounds }) as unknown as z.ZodType<
    Record<string, T>,
    Record<string, T>
  >;
}

const PAGE =
  'One page, newest first. Pass next_cursor as cursor to get the next page. If you use several filters, a page can be short or empty although more pages follow.';

/** The response of a list endpoint (`docs/api.md#operations`). */
export function listOf<T extends z.ZodType>(item: T, id: string) {
  return z
    .object({
      data: z.array(item).describe('The items, newest first'),
      next_cursor: z.string().nullable().describe('The `cursor` of the next page; null on the last one'),
    })
    .meta({ id, description: PAGE });
}

const wholeNumber = /^[0-9]{1,6}$/;

/** Parses `limit` from the query string: a whole number from 1 to 100. */
export const limitQuery = z
  .string()
  .regex(wholeNumber, 'must be a whole number from 1 to 100')
  .transform(Number)
  .pipe(z.number().int().min(1).max(LIMITS.page_size_max))
  .default(LIMITS.page_size_default)
  .meta({ type: 'integer', minimum: 1, maximum: LIMITS.page_size_max, default: LIMITS.page_size_default });

export const cursorQuery = z.string().min(1).max(LIMITS.cursor_chars_max).optional();
