import * as z from 'zod';
import { MODES } from '../../shared/core/domains/status.ts';
import { validationFailed } from '../../shared/core/errors.ts';
import { LIMITS } from '../../shared/core/limits.ts';
import { readAs } from './action.ts';

const ROWS_MAX = 500;

/** What every list of the control surface can be asked for: a part of it by its place, over all apps and both modes. */
export const listPageSchema = z.strictObject({
  offset: z.coerce.number().pipe(z.int().min(0).max(1e9)).default(0),
  limit: z.coerce.number().pipe(z.int().min(1).max(ROWS_MAX)).default(100),
  app_id: z.string().max(64).optional(),
  mode: z.enum(MODES).optional(),
  /** A part of the hostname, or a whole id. */
  search: z
    .string()
    .max(LIMITS.hostname_chars_max)
    .transform((text) => text.trim().toLowerCase())
    .optional(),
});

/** @throws ServiceError `validation_failed`, for a parameter that is given twice too. */
export function readListQuery<T extends z.ZodType>(schema: T, query: URLSearchParams): z.output<T> {
  const twice = [...query.keys()].find((name, index, names) => names.indexOf(name) !== index);
  if (twice !== undefined) throw validationFailed({ path: 'query', message: 'names a parameter twice' });
  return readAs(schema, Object.fromEntries(query));
}
