import type { z } from 'zod';
import { type FieldProblem, validationFailed } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { printable } from '../core/printable.ts';

/**
 * Checks a parsed body or query.
 * @param others what is wrong beside what the schema can see.
 * @throws ServiceError `validation_failed` that lists every field at fault, each once.
 */
export function readFields(schema: z.ZodType, value: unknown, others: readonly FieldProblem[] = []): unknown {
  const read = schema.safeParse(value);
  if (read.success && others.length === 0) return read.data;
  const seen = (read.error?.issues ?? []).map(({ path, message }) => ({
    path: path.map(String).map(printed).join('.'),
    message,
  }));
  throw validationFailed(...seen, ...others.filter(({ path }) => !seen.some((each) => each.path === path)));
}

const METADATA_PREFIX = 'metadata.';

/**
 * A query string as data: `metadata.<key>=<value>` filters come as one `metadata` object (section 4.3).
 * @throws ServiceError `validation_failed` for a parameter that is given twice, or more than 5 filters.
 */
export function readQuery(params: URLSearchParams): Record<string, unknown> {
  const query = new Map<string, string>();
  const metadata = new Map<string, string>();
  const problems: FieldProblem[] = [];
  for (const [name, value] of params) {
    const into = name.startsWith(METADATA_PREFIX) ? metadata : query;
    const key = into === metadata ? name.slice(METADATA_PREFIX.length) : name;
    if (into.has(key)) problems.push({ path: printed(name), message: 'is given twice' });
    into.set(key, value);
  }
  if (metadata.has('')) problems.push({ path: 'metadata.', message: 'needs a key: metadata.<key>=<value>' });
  if (metadata.size > LIMITS.metadata_filters_max) {
    const message = `${metadata.size} filters are given, at most ${LIMITS.metadata_filters_max} are allowed`;
    problems.push({ path: 'metadata', message });
  }
  if (problems.length > 0) throw validationFailed(...problems);
  // `fromEntries` defines own properties: a key such as __proto__ is only a key.
  return { ...Object.fromEntries(query), metadata: Object.fromEntries(metadata) };
}

function printed(text: string): string {
  return printable(text, 60);
}
