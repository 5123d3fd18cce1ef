import { type RawBuilder, type SqlBool, sql } from 'kysely';
import * as z from 'zod';
import { MODES } from '../../shared/core/domains/status.ts';
import { validationFailed } from '../../shared/core/errors.ts';
import { LIMITS } from '../../shared/core/limits.ts';
import { readAs } from './action.ts';

const ROWS_MAX = 500;

/** The query parameters that every list of the control surface has. The lists contain the rows of all apps and both modes. */
export const listPageSchema = z.strictObject({
  offset: z.coerce.number().pipe(z.int().min(0).max(1e9)).default(0),
  limit: z.coerce.number().pipe(z.int().min(1).max(ROWS_MAX)).default(100),
  app_id: z.string().max(64).optional(),
  mode: z.enum(MODES).optional(),
  /** Part of the hostname, or a whole id. */
  search: z
    .string()
    .max(LIMITS.hostname_chars_max)
    .transform((text) => text.trim().toLowerCase())
    .optional(),
});

/** The order of a list. Rows of the same time are in the order in which they were inserted. */
export const NEWEST_FIRST = sql`created_at desc, rowid desc`;

/** Returns the condition that a row has the search text in its hostname, or as one of its ids. */
export function matchesSearch(search: string, ...ids: readonly string[]): RawBuilder<SqlBool> {
  const isId = ids.map((column) => sql`lower(${sql.ref(column)}) = ${search}`);
  return sql`(instr(hostname, ${search}) > 0 or ${sql.join(isId, sql` or `)})`;
}

/** Validates a query. @throws ServiceError `validation_failed`, also if a parameter is given twice. */
export function readListQuery<T extends z.ZodType>(schema: T, query: URLSearchParams): z.output<T> {
  const twice = [...query.keys()].find((name, index, names) => names.indexOf(name) !== index);
  if (twice !== undefined) throw validationFailed({ path: 'query', message: 'contains a parameter twice' });
  return readAs(schema, Object.fromEntries(query));
}
