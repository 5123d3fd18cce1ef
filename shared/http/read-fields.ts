import type { z } from 'zod';
import { type FieldProblem, validationFailed } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { printable, unstorable } from '../core/text/printable.ts';
import { issueMessage } from '../schema/issue-message.ts';

/**
 * Checks a parsed body or query. In every field that the schema knows, a value that the database cannot store is refused
 * (`core/text/printable.ts`).
 * @param others further problems, which the schema cannot find.
 * @throws ServiceError `validation_failed` that lists each invalid field once.
 */
export function readFields(schema: z.ZodType, value: unknown, others: readonly FieldProblem[] = []): unknown {
  const read = schema.safeParse(value, { error: issueMessage });
  const seen: FieldProblem[] = (read.error?.issues ?? []).map(({ path, message }) => ({
    path: path.map(String).map(printed).join('.'),
    message,
  }));
  for (const problem of [...others, ...unstorable(knownOf(schema, value))]) {
    const isSeen = ({ path }: FieldProblem) => problem.path === path || problem.path.startsWith(`${path}.`);
    if (!seen.some(isSeen)) seen.push({ ...problem, path: printed(problem.path) });
  }
  if (seen.length > 0) throw validationFailed(...seen);
  return read.data;
}

/** Fields that are not checked here for text that cannot be stored. Their parsers refuse such text with a more specific error code. */
const PARSED: ReadonlySet<string> = new Set(['hostname', 'origin', 'origin_url']);

/** Returns the fields of a body that the schema knows. Other fields are ignored, and never stored. */
function knownOf(schema: z.ZodType, value: unknown): unknown {
  if (!('shape' in schema) || typeof value !== 'object' || value === null) return value;
  const shape = schema.shape as object;
  const isKnown = (name: string) => Object.hasOwn(shape, name) && !PARSED.has(name);
  return Object.fromEntries(Object.entries(value).filter(([name]) => isKnown(name)));
}

/** Matches `metadata.<key>`, and `metadata[<key>]`, which the OpenAPI style `deepObject` writes. */
const METADATA_FILTER = /^metadata(?:\.(?<dotted>.*)|\[(?<bracketed>.*)\])$/s;
/** Matches every parameter that is meant as a metadata filter. */
const METADATA_NAME = /^metadata($|[.[])/;
/** Keys that a client sends if it copies the placeholder of the documentation literally. */
const PLACEHOLDERS = ['<key>', '%3Ckey%3E'];
const FILTER_FORM = 'must be metadata.<key>=<value> or metadata[<key>]=<value>, with a key of your metadata';

/**
 * Parses a query string. Collects filters by metadata in a `metadata` object (`docs/api.md#domains`).
 * @throws ServiceError `validation_failed` for a repeated parameter, more than 5 filters, or a malformed filter. If such a filter was
 * ignored, the list would contain everything.
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
  // `fromEntries` defines own properties, so a key such as __proto__ is harmless.
  return { ...Object.fromEntries(query), metadata: Object.fromEntries(metadata) };
}

/** Returns the metadata key of a filter, or null if the filter has no valid key. */
function filterKey(name: string): string | null {
  const { dotted, bracketed } = METADATA_FILTER.exec(name)?.groups ?? {};
  const key = dotted ?? bracketed ?? '';
  const isNested = bracketed?.includes('][') === true;
  return key === '' || isNested || PLACEHOLDERS.includes(key) ? null : key;
}

/**
 * Returns the names of a body's fields that a route does not know. Routes ignore them, so that newer clients can talk to older nodes.
 * @param schema the schema of the body; undefined if the route takes no fields.
 */
export function unknownFields(body: object | null, schema: z.ZodObject | undefined): string[] {
  return unknownNames(Object.keys(body ?? {}), schema);
}

/**
 * Returns the names of query parameters that a route does not know and therefore ignores. A route that accepts metadata filters knows every
 * metadata filter.
 * @param schema the schema of the query; undefined if the route takes no parameters.
 */
export function unknownParameters(params: URLSearchParams, schema: z.ZodObject | undefined): string[] {
  const takesFilters = 'metadata' in (schema?.shape ?? {});
  return unknownNames(params.keys(), schema).filter((name) => !(takesFilters && METADATA_NAME.test(name)));
}

function unknownNames(names: Iterable<string>, schema: z.ZodObject | undefined): string[] {
  const shape = schema?.shape ?? {};
  return [...new Set(names)].filter((name) => !Object.hasOwn(shape, name));
}

function printed(text: string): string {
  return printable(text, 60);
}
