import type { z } from 'zod';
import { type FieldProblem, validationFailed } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { printable } from '../core/text/printable.ts';
import { issueMessage } from '../schema/issue-message.ts';

/**
 * Checks a parsed body or query.
 * @param others what is wrong beside what the schema can see.
 * @throws ServiceError `validation_failed` that lists every field at fault, each once.
 */
export function readFields(schema: z.ZodType, value: unknown, others: readonly FieldProblem[] = []): unknown {
  const read = schema.safeParse(value, { error: issueMessage });
  if (read.success && others.length === 0) return read.data;
  const seen = (read.error?.issues ?? []).map(({ path, message }) => ({
    path: path.map(String).map(printed).join('.'),
    message,
  }));
  throw validationFailed(...seen, ...others.filter(({ path }) => !seen.some((each) => each.path === path)));
}

/** `metadata.<key>`, or `metadata[<key>]` as the style `deepObject` of OpenAPI writes it. */
const METADATA_FILTER = /^metadata(?:\.(?<dotted>.*)|\[(?<bracketed>.*)\])$/s;
/** A parameter that is meant as a filter. */
const METADATA_NAME = /^metadata($|[.[])/;
/** A client that takes the name in the documentation literally sends one of these as the key. */
const PLACEHOLDERS = ['<key>', '%3Ckey%3E'];
const FILTER_FORM = 'must be metadata.<key>=<value> or metadata[<key>]=<value>, with a key of your metadata';

/**
 * Returns a query string as data: filters by metadata come as one `metadata` object (section 4.3).
 * @throws ServiceError `validation_failed` for a parameter that is given twice, more than 5 filters, or a malformed filter, which
 * would match everything if it was ignored.
 */
export function readQuery(params: URLSearchParams, schema: z.ZodObject): Record<string, unknown> {
  const takesFilters = 'metadata' in schema.shape;
  const query = new Map<string, string>();
  const metadata = new Map<string, string>();
  const problems = new Map<string, string>();
  for (const [name, value] of params) {
    const isFilter = takesFilters && METADATA_NAME.test(name);
    const key = isFilter ? filterKey(name) : name;
    if (key === null) {
      problems.set(printed(name), FILTER_FORM);
      continue;
    }
    const into = isFilter ? metadata : query;
    if (into.has(key)) problems.set(printed(name), 'is given twice');
    into.set(key, value);
  }
  if (metadata.size > LIMITS.metadata_filters_max) {
    const message = `${metadata.size} filters are given, at most ${LIMITS.metadata_filters_max} are allowed`;
    problems.set('metadata', message);
  }
  if (problems.size > 0) {
    throw validationFailed(...Array.from(problems, ([path, message]) => ({ path, message })));
  }
  // `fromEntries` defines own properties: a key such as __proto__ is only a key.
  return { ...Object.fromEntries(query), metadata: Object.fromEntries(metadata) };
}

/** Returns the key that a filter by metadata names, or null if it names none. */
function filterKey(name: string): string | null {
  const { dotted, bracketed } = METADATA_FILTER.exec(name)?.groups ?? {};
  const key = dotted ?? bracketed ?? '';
  const isNested = bracketed?.includes('][') === true;
  return key === '' || isNested || PLACEHOLDERS.includes(key) ? null : key;
}

/**
 * Returns the names of a request that its route does not know and that are therefore ignored: v1 grows, and so do its clients.
 * @param schema of the query or the body; undefined takes none.
 */
export function unknownNames(names: Iterable<string>, schema: z.ZodObject | undefined): string[] {
  const shape = schema?.shape ?? {};
  return [...new Set(names)].filter(
    (name) => !Object.hasOwn(shape, name) && !('metadata' in shape && METADATA_NAME.test(name)),
  );
}

function printed(text: string): string {
  return printable(text, 60);
}
