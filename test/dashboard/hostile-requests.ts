import fc from 'fast-check';
import {
  type FuzzedRequest,
  KNOWN_DOMAIN,
  LAST_CURSOR,
  type OpenApiDocument,
  requestsOf,
} from '../conformance/openapi/openapi-requests.ts';

/** Texts that may break a database, a parser, a terminal or a page. */
export const HOSTILE_TEXTS = [
  ...[
    '\0',
    'a\0b',
    'https://acme.com/\0',
    '\ud800',
    'a\udc00b',
    '\u001b[2J',
    '\u009b31m',
    'a\u202eb',
    '\u2066a',
    '\ufeff',
    '\r\nX: y',
  ],
  ...[
    '',
    ' ',
    'x'.repeat(5000),
    '../..',
    '__proto__',
    '-1',
    '1e999',
    'null',
    '\u{1f469}\u200d\u{1f4bb}',
    '%00',
    "'",
  ],
];

/** At this number of levels, a recursive function overflows the stack. */
const DEEP = 12_000;

/** Returns JSON that is nested too deeply for a recursive function. */
export function deepJson(): string {
  return '['.repeat(DEEP) + ']'.repeat(DEEP);
}

/** One change that makes a generated request hostile or invalid. */
interface Spoiling {
  place: 'nothing' | 'field' | 'deep field' | 'deep body' | 'query' | 'path';
  text: string;
  at: number;
}

const SPOILINGS: fc.Arbitrary<Spoiling> = fc.record({
  place: fc.constantFrom('nothing', 'nothing', 'field', 'field', 'deep field', 'deep body', 'query', 'path'),
  text: fc.constantFrom(...HOSTILE_TEXTS),
  at: fc.nat(),
});

/** Returns the ids from earlier responses that can replace a placeholder in a path. */
export type KnownIds = (placeholder: string, path: string) => readonly string[];

/**
 * Generates requests from an OpenAPI document, most of them nearly valid, and spoils half of them. The same seed gives the same requests.
 */
export function hostileRequests(
  document: OpenApiDocument,
  count: number,
  seed: number,
): readonly [FuzzedRequest, Spoiling][] {
  return fc.sample(fc.tuple(requestsOf(document), SPOILINGS), { numRuns: count, seed });
}

/** Returns the HTTP request for a generated request. @param origin the origin and the path prefix of the document's paths. */
export function buildRequest(
  origin: string,
  [request, spoiling]: readonly [FuzzedRequest, Spoiling],
  known: KnownIds,
  headers: Record<string, string>,
): Request {
  const { place, text, at } = spoiling;
  let placeholders = 0;
  const path = request.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const isSpoiled = place === 'path' && at % 2 === placeholders++ % 2;
    const ids = known(name, request.path);
    const id = isSpoiled || ids.length === 0 ? text : (ids[(request.idChoice ?? at) % ids.length] ?? text);
    return encodeURIComponent(id.toWellFormed()) || '%00';
  });
  const query = new URLSearchParams(request.query.filter(([, value]) => value !== LAST_CURSOR));
  const [domain = ''] = known('domain', '');
  for (const [name, value] of query) if (value === KNOWN_DOMAIN) query.set(name, domain);
  const names = [...query.keys()];
  if (place === 'query') query.set(names[at % Math.max(1, names.length)] ?? 'limit', text);
  const body = request.body === null ? null : spoiledBody(request.body, spoiling);
  return new Request(`${origin}${path}?${query}`, {
    method: request.method,
    headers: { ...(body !== null && { 'content-type': 'application/json' }), ...request.headers, ...headers },
    body,
  });
}

function spoiledBody(body: string, { place, text, at }: Spoiling): string {
  if (place === 'deep body') return `{"a":${deepJson()}}`;
  const fields = place === 'field' || place === 'deep field' ? parsedObject(body) : null;
  const name =
    fields === null ? undefined : Object.keys(fields)[at % Math.max(1, Object.keys(fields).length)];
  if (fields === null || name === undefined) return body;
  if (place === 'field') return JSON.stringify({ ...fields, [name]: text });
  const others = JSON.stringify({ ...fields, [name]: '<deep>' });
  return others.replace('"<deep>"', `{"a":${deepJson()}}`);
}

function parsedObject(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null; // A body that is not JSON is hostile enough.
  }
}
